// Reads the files of an import completely, and reports refused ones with reasons.

import { nearest } from "@assay/eval-engine/words";
import { type ImportFile, type ImportPlan, type PassRule, planImport } from "@assay/importers";
import type { Scratch } from "@assay/importers/internal";
import type { ScoreType } from "@assay/importers/options";
import { failOnMissing } from "../query/check-names.ts";
import { type CliContext, log } from "../terminal/cli-context.ts";
import { counted } from "../terminal/counted.ts";
import { EXIT } from "../terminal/failure.ts";
import { showProgress } from "../terminal/progress-bar.ts";
import { ReadingStopped, watchedFile } from "./import-sources.ts";

/** How to read files whose content does not decide it. */
export interface ReadingOptions {
  /** The kind of all files. */
  readonly from?: string | undefined;
  /** Columns and fields of logs and tables, by their role. */
  readonly evaluation?: string | undefined;
  readonly rowKey?: string | undefined;
  readonly score?: readonly string[] | undefined;
  readonly output?: string | undefined;
  /** Rules for when numeric scores pass. */
  readonly pass: readonly PassRule[];
  /** The types of scores, by name. */
  readonly as: ReadonlyMap<string, ScoreType>;
}

/** Which files were refused: broken ones; ones of unknown format, or without requested data; or none. */
export type Refusals = "none" | "unknown" | "broken";

/** Reads files to the end and shows progress; undefined if it was stopped before the end. */
export async function readPlan(
  context: CliContext,
  files: readonly ImportFile[],
  options: ReadingOptions & { readonly scratch: Scratch },
): Promise<ImportPlan | undefined> {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const bar =
    files.length === 0 ? undefined : await showProgress(context, { name: "reading", size, unit: "records" });
  // For each file, the position of its latest read.
  const positions = new Map<string, number>();
  let position = 0;
  try {
    const watched = files.map((file) =>
      watchedFile(file, context.signal, (end) => {
        position += end - (positions.get(file.path) ?? 0);
        positions.set(file.path, end);
        bar?.reach(position);
      }),
    );
    const { from, evaluation, rowKey, output, pass, score: scores, as: types, scratch } = options;
    const plan = await planImport(watched, {
      ...{ from, evaluation, rowKey, output, scores, types },
      ...{ passes: pass, onTrial: () => bar?.advance(0, 1), scratch },
    });
    if (context.signal.aborted) return undefined;
    failOnMissing(
      plan.missing.map((name) => {
        const suggestions = nearest(name, plan.scoreNames);
        const hint =
          suggestions.length > 0
            ? `did you mean ${suggestions.join(", ")}?`
            : `the scores are ${plan.scoreNames.join(", ")}`;
        return `no trial has a score ${name}; ${hint}`;
      }),
    );
    return plan;
  } catch (error) {
    if (error instanceof ReadingStopped) return undefined;
    throw error;
  } finally {
    bar?.stop();
  }
}

// How many skipped files are named: enough to recognise them.
const NAMED = 3;

/** Reports refused files. In folders, files of unknown format are counted, and the first few named. */
export function logRefused(
  context: CliContext,
  { refused, evaluations, calls }: ImportPlan,
  found: ReadonlySet<string>,
): Refusals {
  const [first] = found;
  const passedOver = refused.filter(
    ({ why, paths }) => why === "unknown" && paths.every((path) => found.has(path)),
  );
  const named = refused.filter((one) => !passedOver.includes(one));
  for (const { paths, reason } of named) log(context, `assay: ${paths.join(", ")}: ${reason}`);
  // If nothing else was found, the user needs the reasons.
  const explained = evaluations.length + calls.length === 0 ? passedOver.slice(0, NAMED) : [];
  for (const { paths, reason } of explained) log(context, `assay: ${paths.join(", ")}: ${reason}`);
  const uncounted = passedOver.slice(explained.length);
  if (uncounted.length > 0 && first !== undefined) {
    const paths = uncounted.flatMap((one) => one.paths);
    const named = paths.slice(0, NAMED).join(", ");
    const more = paths.length > NAMED ? ` and ${counted(paths.length - NAMED, "other")}` : "";
    log(context, `assay: ${counted(paths.length, "file")} of unknown format skipped: ${named}${more}`);
  }
  if (named.some(({ why }) => why === "broken")) return "broken";
  // A folder may have the database of a tool in addition to what the tool exported.
  const missed = named.filter(
    ({ why, paths }) => why !== "database" || !paths.every((path) => found.has(path)),
  );
  return missed.length > 0 ? "unknown" : "none";
}

/** The exit code of a command that took this many of the given things. */
export function exitCodeOf(taken: number, refusals: Refusals): number {
  if (taken > 0) return refusals === "none" ? EXIT.ok : EXIT.badLines;
  return refusals === "broken" ? EXIT.failed : EXIT.usage;
}
