// assay import: imports evaluations from logs of other tools, tables, or calls and dataset rows.

import type { ImportReport, LineKind } from "@assay/adapters-http/internal";
import { shellWord } from "@assay/base/internal";
import type { ImportPlan, ImportTarget } from "@assay/importers";
import { type PlannedEvaluation, projectOf } from "@assay/importers/internal";
import type { DataAccess } from "@assay/server/internal";
import { type OpenOptions, openData } from "../../data/open-data.ts";
import { projectArgument } from "../../data/project-argument.ts";
import { type InputFile, inputFile } from "../../files/input-file.ts";
import { linesIn } from "../../files/line-chunks.ts";
import { temporaryScratch } from "../../files/temporary-scratch.ts";
import { type WrittenLogs, writeLogs } from "../../import/import-logs.ts";
import { exitCodeOf, logRefused, type ReadingOptions, readPlan } from "../../import/import-plan.ts";
import { importReport } from "../../import/import-report.ts";
import { importSources } from "../../import/import-sources.ts";
import { latestPair } from "../../query/named-evaluations.ts";
import { type CliContext, info, log, print, printInfo } from "../../terminal/cli-context.ts";
import { counted } from "../../terminal/counted.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";
import { type ShownProgress, showProgress } from "../../terminal/progress-bar.ts";

/** What to import. */
export interface ImportOptions extends OpenOptions, ReadingOptions {
  readonly project: string;
  /** Files, folders, or `-` for standard input. Their kinds are detected from their content. */
  readonly files: readonly string[];
  /** Files of dataset rows. */
  readonly rows: readonly string[];
  /** Whether to delete earlier imports of the same runs. */
  readonly replace: boolean;
  /** Whether each dataset gets its own project. */
  readonly projectPerDataset: boolean;
  /** Whether to write nothing. */
  readonly dryRun: boolean;
  /** The options that a further command needs to find the data, as given to this one. */
  readonly where: string;
  /** Whether to accept calls that do not belong to an evaluation. */
  readonly allowMissing: boolean;
}

const WHAT_A_TRIAL_IS =
  "a trial is a call whose op_name is Evaluation.predict_and_score, with the id of its evaluation as parent_id, " +
  'its row in inputs.example, and {"output": ..., "scores": {...}} as its output';

/** Megabytes for DuckDB: an import mostly appends, and a cache would hardly be read. */
const DATABASE_MEMORY = 64;

/** Imports files and reports the result. Returns the exit code. */
export async function importCommand(context: CliContext, options: ImportOptions): Promise<number> {
  const project = projectArgument(options.project);
  const started = performance.now();
  // Every path is checked before the first file is read, so that a wrong name is reported immediately.
  const rows: InputFile[] = [];
  for (const path of options.rows) rows.push(await inputFile(context, path));
  const sources = await importSources(context, options.files, options.from);
  const acknowledge = () => log(context, "assay: stopping");
  context.signal.addEventListener("abort", acknowledge, { once: true });
  const scratch = temporaryScratch();
  try {
    const plan = await readPlan(context, sources.files, { ...options, scratch });
    if (plan === undefined) return sayStopped(context);
    const refusals = logRefused(context, plan, sources.found);
    const calls = [...sources.calls];
    for (const { path } of plan.calls) calls.push(await inputFile(context, path));
    if (options.dryRun) {
      for (const line of importReport(plan)) await print(context, line);
      const files = calls.length > 0 ? `; ${counted(calls.length, "file")} of calls` : "";
      await print(context, `would import ${totals(plan)} into ${project}${files}`);
      return exitCodeOf(plan.evaluations.length + calls.length, refusals);
    }
    if (plan.evaluations.length + calls.length + rows.length === 0) {
      if (refusals === "none") log(context, "assay: the files contain no evaluation");
      for (const note of plan.notes) log(context, `assay: ${note}`);
      return exitCodeOf(0, refusals);
    }
    const data = await openData(context, { ...options, databaseMemory: DATABASE_MEMORY, creates: true });
    try {
      const codes = [
        ...(plan.evaluations.length > 0
          ? [await importLogs(context, data, plan, project, { ...options, started })]
          : []),
        ...(calls.length + rows.length > 0
          ? [await importCalls(context, data, { project, calls, rows, options })]
          : []),
      ];
      return Math.max(...codes, exitCodeOf(1, refusals));
    } finally {
      await data.close();
    }
  } finally {
    context.signal.removeEventListener("abort", acknowledge);
    await scratch.close();
    await sources.close();
  }
}

function sayStopped(context: CliContext): number {
  log(
    context,
    "assay: interrupted: incomplete evaluations are not listed; import the same files again to complete them",
  );
  return EXIT.failed;
}

async function importLogs(
  context: CliContext,
  data: DataAccess,
  plan: ImportPlan,
  project: string,
  { replace, projectPerDataset, where, started }: ImportOptions & { readonly started: number },
): Promise<number> {
  const target = { project, projectPerDataset };
  const { changed, earlier, lostDirections, taken, stopped } = await writeShown(context, data, plan, {
    ...target,
    replace,
  });
  if (stopped) return sayStopped(context);
  for (const line of importReport(plan)) await printInfo(context, line);
  const seconds = (performance.now() - started) / 1000;
  await printInfo(
    context,
    `imported ${totals(plan)} into ${project} (${data.where}) in ${seconds.toFixed(1)} s; ${number(changed)} new or changed`,
  );
  for (const line of lostDirections) log(context, `assay: ${line}`);
  for (const { id, name } of earlier) {
    const became = replace ? "was replaced" : "exists with other content; --replace replaces it";
    log(context, `assay: an earlier import of ${name} (${id}) ${became}`);
  }
  await printInfo(context, `next: assay ${await nextCommand(data, plan, target, taken)}${where}`);
  return EXIT.ok;
}

/** Writes the evaluations of a plan and shows progress. */
async function writeShown(
  context: CliContext,
  data: DataAccess,
  plan: ImportPlan,
  target: ImportTarget & { readonly replace: boolean },
): Promise<WrittenLogs> {
  const size = plan.evaluations.reduce((sum, { trials }) => sum + trials, 0);
  const bar = await showProgress(context, { name: "writing", size, unit: "records", inUnits: true });
  try {
    return await writeLogs(context, data, plan, target, (bytes, trials) => bar.advance(bytes, trials));
  } finally {
    bar.stop();
  }
}

// For larger imports, shared rows with earlier evaluations are only looked up on comparison.
const SMALL = 20_000;

/**
 * The suggested next command: a comparison of the two evaluations that share most rows or, for a single one, with an
 * earlier one.
 */
async function nextCommand(
  data: DataAccess,
  plan: ImportPlan,
  target: ImportTarget,
  taken: ReadonlySet<string>,
): Promise<string> {
  const pair = plan.closest(target);
  const project = projectOf((pair?.[0] ?? plan.evaluations[0]!).dataset, target);
  const names = plan.evaluations
    .filter(({ dataset }) => projectOf(dataset, target) === project)
    .map(({ name }) => name);
  const called = ({ id, name }: PlannedEvaluation) =>
    names.indexOf(name) === names.lastIndexOf(name) && !taken.has(name) ? shellWord(name) : id;
  if (pair !== undefined) return `compare ${shellWord(project)} ${pair.map(called).join(" ")}`;
  const trials = plan.evaluations.reduce((sum, one) => sum + one.trials, 0);
  const isMet = taken.size > 0 && trials <= SMALL && (await hasLatestPair(data, project));
  return `${isMet ? "compare" : "query"} ${shellWord(project)}`;
}

async function hasLatestPair(data: DataAccess, project: string): Promise<boolean> {
  try {
    await latestPair(data, project);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

function totals({ evaluations }: ImportPlan): string {
  const sum = (of: (one: PlannedEvaluation) => number) =>
    evaluations.reduce((total, one) => total + of(one), 0);
  const errors = sum((one) => one.errors);
  const failed = errors === 0 ? "" : `, ${number(errors)} of them ended in an error`;
  return `${counted(evaluations.length, "evaluation")} with ${counted(
    sum(({ trials }) => trials),
    "trial",
  )}${failed}`;
}

interface Lines {
  readonly project: string;
  readonly calls: readonly InputFile[];
  readonly rows: readonly InputFile[];
  readonly options: ImportOptions;
}

/** Imports calls and rows unchanged. */
async function importCalls(
  context: CliContext,
  data: DataAccess,
  { project, calls, rows, options }: Lines,
): Promise<number> {
  const started = performance.now();
  const files = [
    ...rows.map((file) => ["rows", file] as const),
    ...calls.map((file) => ["calls", file] as const),
  ];
  const counts = { calls: 0, rows: 0 };
  let [changed, badLines, inEvaluations] = [0, 0, false];
  for (const [kind, file] of files) {
    const report = await importShown(context, data, project, kind, file);
    counts[kind] += report.lines - report.bad_lines;
    changed += report.changed;
    badLines += report.bad_lines;
    inEvaluations ||= report.in_evaluations;
    if (context.signal.aborted) break;
  }

  const seconds = (performance.now() - started) / 1000;
  const rate = Math.round((counts.calls + counts.rows) / seconds);
  const andRows = rows.length === 0 ? "" : ` and ${counted(counts.rows, "row")}`;
  await printInfo(
    context,
    `imported ${counted(counts.calls, "call")}${andRows} into ${project} (${data.where}) in ${seconds.toFixed(1)} s, ` +
      `${number(rate)}/s; ${number(changed)} new or changed`,
  );
  if (context.signal.aborted) {
    log(
      context,
      "assay: interrupted: what was read so far is imported; import the same files again for the rest",
    );
    return EXIT.failed;
  }
  if (badLines > 0) log(context, `assay: ${counted(badLines, "bad line")} skipped`);
  if (calls.length > 0 && !inEvaluations && !options.allowMissing) {
    const names = calls.map(({ name }) => (name === "stdin" ? "-" : name)).join(", ");
    log(context, `assay: no line of ${names} belongs to an evaluation: ${WHAT_A_TRIAL_IS}`);
    return EXIT.usage;
  }
  // Trials may come before the call that they belong to.
  if (inEvaluations && (await data.evaluations(project)).length === 0)
    info(
      context,
      `assay: note: ${project} lists no evaluation yet: import the calls that the trials name as parent_id too`,
    );
  return badLines === 0 ? EXIT.ok : EXIT.badLines;
}

async function importShown(
  context: CliContext,
  data: DataAccess,
  project: string,
  kind: LineKind,
  file: InputFile,
): Promise<ImportReport> {
  const progress = await showProgress(context, { ...file, unit: "lines" });
  let report: ImportReport;
  try {
    report = await data.importLines(project, kind, watched(context, file, progress));
  } finally {
    progress.stop();
  }
  for (const { line, reason } of report.bad) log(context, `${file.name}:${line}: ${reason}`);
  const more = report.bad_lines - report.bad.length;
  if (more > 0) log(context, `${file.name}: and ${counted(more, "more bad line")}`);
  return report;
}

/** The content of a file, which ends after a complete line if the command is stopped. */
async function* watched(
  context: CliContext,
  file: InputFile,
  progress: ShownProgress,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  const content = file.read((bytes) => {
    read += bytes;
  });
  // The beginning of a line whose end has not been read yet.
  let [held, size]: [Uint8Array[], number] = [[], 0];
  try {
    for await (const piece of content) {
      progress.advance(read, linesIn(piece));
      read = 0;
      const end = piece.lastIndexOf(NEWLINE) + 1;
      if (end > 0 || size > MOST_HELD) {
        yield* held;
        yield piece.subarray(0, end);
        [held, size] = [[], 0];
      }
      if (context.signal.aborted) return;
      held.push(piece.subarray(end));
      size += piece.length - end;
    }
  } catch (error) {
    if (context.signal.aborted) return;
    throw error;
  }
  yield* held;
}

const NEWLINE = 0x0a;
/**
 * The most bytes of a line to hold back. If the command is stopped within a longer line, a part of it is imported as a
 * bad line.
 */
const MOST_HELD = 2 ** 26;

function number(value: number): string {
  return value.toLocaleString("en");
}
