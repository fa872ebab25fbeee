// assay export --format html: evaluations as one HTML file, which is the page with its data and its engine inside.

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PageFileOptions } from "@assay/adapters-http/internal";
import type { CountedEvaluation } from "@assay/eval-engine";
import { printFieldPath } from "@assay/query-lang/internal";
import { chosenContent, exportedFile, type KeptTrials, keptTrials } from "@assay/server/export";
import type { DataAccess } from "@assay/server/internal";
import { shippedPage } from "../../files/shipped-page.ts";
import { writeAtomic } from "../../files/write-atomic.ts";
import { failOnMissing, missingInQuery } from "../../query/check-names.ts";
import { type Condition, filtersOf, namedIds, withFields } from "../../query/conditions.ts";
import { evaluationsNamed } from "../../query/named-evaluations.ts";
import { type CliContext, info } from "../../terminal/cli-context.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";

/** What to put into the file, and where to write it. */
export interface PageExport {
  readonly project: string;
  /** IDs; empty for the whole project. */
  readonly evaluations: readonly string[];
  /** Conditions on rows, as in `assay query --where`. */
  readonly where: readonly Condition[];
  readonly choice: PageFileOptions;
  readonly output: string;
}

/** Prints how large the file will be, and writes it. Returns a description of its content. */
export async function exportPage(
  context: CliContext,
  data: DataAccess,
  { project, evaluations: ids, where, choice, output }: PageExport,
): Promise<string> {
  const evaluations =
    ids.length === 0
      ? await data.evaluations(project)
      : (await evaluationsNamed(data, project, ids)).filter(({ id }) => ids.includes(id));
  const kept = where.length === 0 ? undefined : await rowsThatMeet(data, project, { evaluations, where });
  const content = await chosenContent(data, { project, evaluations, choice, kept });
  const page = await exportedFile(shippedPage(context), {
    project,
    evaluations: content.evaluations,
    directions: [...((await data.directions?.get(project)) ?? [])],
    made: new Date().toISOString(),
    rows: content.rows,
    calls: content.calls,
  });
  if (page === undefined)
    throw new Failure(
      EXIT.failed,
      "the file would be larger than 200 MB: narrow it with --evaluation, --where or --outputs, or export parquet",
    );
  try {
    const untouched = content.untouched().map(printFieldPath);
    if (untouched.length > 0)
      throw new Failure(
        EXIT.failed,
        `--redact: no row, output or score has ${untouched.join(", ")}; nothing was written`,
      );
    const count = `${evaluations.length} ${evaluations.length === 1 ? "evaluation" : "evaluations"}`;
    const size = (page.bytes / 1e6).toFixed(1);
    info(context, `a file of ${size} MB: anyone who has it can read ${readable(choice)} of ${count}`);
    await writeAtomic(context, output, (stream, options) =>
      pipeline(Readable.from(page.pieces()), stream, options),
    );
    return count;
  } finally {
    await page.close();
  }
}

/** The trials of the rows that meet all conditions. Fails if there are none. */
async function rowsThatMeet(
  data: DataAccess,
  project: string,
  { evaluations, where }: Pick<PageExport, "where"> & { readonly evaluations: readonly CountedEvaluation[] },
): Promise<ReadonlyMap<string, KeptTrials>> {
  const ids = evaluations.map(({ id }) => id);
  const body = {
    evaluation_call_ids: ids,
    ...filtersOf(
      await withFields(data, project, { evaluations: ids, conditions: where }),
      await namedIds(data, project, ids, { given: [], wanted: where.map(({ about }) => about) }),
    ),
  };
  const texts = where.map(({ text }) => text);
  failOnMissing(await missingInQuery(data, project, body), texts);
  const kept = await keptTrials(data, project, body);
  if (kept.size > 0) return kept;
  throw new Failure(EXIT.failed, `no row of ${project} matches ${texts.join(" and ")}`);
}

/** Which content of a file its readers can see. */
function readable({ outputs, redact }: PageFileOptions): string {
  const fields = redact.map(printFieldPath);
  const parts = [
    outputs === "none"
      ? "all inputs and scores"
      : outputs === "full"
        ? "all inputs, outputs and scores"
        : `all inputs and scores, and ${outputs} characters of each output,`,
    fields.length > 0 ? `but ${fields.join(", ")},` : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}
