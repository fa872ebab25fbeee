// assay import: imports evaluations from logs of other tools, tables, or calls and dataset rows.

import type { ImportReport, LineKind } from "@assay/adapters-http/internal";
import type { ImportPlan, ImportTarget } from "@assay/importers";
import { type PlannedEvaluation, projectOf } from "@assay/importers/internal";
import type { DataAccess } from "@assay/server/internal";
import { latestPair } from "../compare/named-evaluations.ts";
import { EXIT, Failure } from "../failure.ts";
import { type WrittenLogs, writeLogs } from "../import-logs.ts";
import { codeOf, type ReadingOptions, readPlan, sayRefused } from "../import-plan.ts";
import { counted, importReport } from "../import-report.ts";
import { importSources } from "../import-sources.ts";
import { type InputFile, inputFile } from "../input-file.ts";
import { type OpenOptions, openData } from "../open-data.ts";
import { linesIn } from "../pieces.ts";
import { type ShownProgress, showProgress } from "../progress-bar.ts";
import { projectArgument } from "../project-argument.ts";
import { temporaryScratch } from "../temporary-scratch.ts";
import { print, say, tell, type World } from "../world.ts";

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

/** Imports files and reports the result. Returns the exit code. */
export async function importCommand(world: World, options: ImportOptions): Promise<number> {
  const project = projectArgument(options.project);
  const started = performance.now();
  // Every path is checked before the first file is read, so that a wrong name is reported at once.
  const rows: InputFile[] = [];
  for (const path of options.rows) rows.push(await inputFile(world, path));
  const sources = await importSources(world, options.files, options.from);
  const acknowledge = () => say(world, "assay: stopping");
  world.signal.addEventListener("abort", acknowledge, { once: true });
  const scratch = temporaryScratch();
  try {
    const plan = await readPlan(world, sources.files, { ...options, scratch });
    if (plan === undefined) return sayStopped(world);
    const refusals = sayRefused(world, plan, sources.found);
    const calls = [...sources.calls];
    for (const { path } of plan.calls) calls.push(await inputFile(world, path));
    if (options.dryRun) {
      for (const line of importReport(plan)) await print(world, line);
      const files = calls.length > 0 ? `; ${counted(calls.length, "file")} of calls` : "";
      await print(world, `would import ${totals(plan)} into ${project}${files}`);
      return codeOf(plan.evaluations.length + calls.length, refusals);
    }
    if (plan.evaluations.length + calls.length + rows.length === 0) {
      if (refusals === "none") say(world, "assay: the files contain no evaluation");
      for (const note of plan.notes) say(world, `assay: ${note}`);
      return codeOf(0, refusals);
    }
    const data = await openData(world, options);
    try {
      const codes = [
        ...(plan.evaluations.length > 0
          ? [await importLogs(world, data, plan, project, { ...options, started })]
          : []),
        ...(calls.length + rows.length > 0
          ? [await importCalls(world, data, { project, calls, rows, options })]
          : []),
      ];
      return Math.max(...codes, codeOf(1, refusals));
    } finally {
      await data.close();
    }
  } finally {
    world.signal.removeEventListener("abort", acknowledge);
    await scratch.close();
    await sources.close();
  }
}

function sayStopped(world: World): number {
  say(
    world,
    "assay: interrupted: incomplete evaluations are not listed; import the same files again to complete them",
  );
  return EXIT.failed;
}

async function importLogs(
  world: World,
  data: DataAccess,
  plan: ImportPlan,
  project: string,
  { replace, projectPerDataset, where, started }: ImportOptions & { readonly started: number },
): Promise<number> {
  const target = { project, projectPerDataset, replace };
  const { changed, earlier, unkept, taken, stopped } = await writeShown(world, data, plan, target);
  if (stopped) return sayStopped(world);
  for (const line of importReport(plan)) await tell(world, line);
  const seconds = (performance.now() - started) / 1000;
  await tell(
    world,
    `imported ${totals(plan)} into ${project} (${data.where}) in ${seconds.toFixed(1)} s; ${number(changed)} new or changed`,
  );
  for (const line of unkept) say(world, `assay: ${line}`);
  for (const { id, name } of earlier) {
    const became = replace ? "was replaced" : "exists with other content; --replace replaces it";
    say(world, `assay: an earlier import of ${name} (${id}) ${became}`);
  }
  await tell(world, `next: assay ${await nextCommand(data, plan, target, taken)}${where}`);
  return EXIT.ok;
}

/** Writes the evaluations of a plan and shows progress. */
async function writeShown(
  world: World,
  data: DataAccess,
  plan: ImportPlan,
  target: ImportTarget & { readonly replace: boolean },
): Promise<WrittenLogs> {
  const size = plan.evaluations.reduce((sum, { trials }) => sum + trials, 0);
  const bar = await showProgress(world, { name: "writing", size, unit: "records", inUnits: true });
  try {
    return await writeLogs(world, data, plan, target, (bytes, trials) => bar.advance(bytes, trials));
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
    names.indexOf(name) === names.lastIndexOf(name) && !taken.has(name) ? quoted(name) : id;
  if (pair !== undefined) return `compare ${project} ${pair.map(called).join(" ")}`;
  const trials = plan.evaluations.reduce((sum, one) => sum + one.trials, 0);
  const isMet = taken.size > 0 && trials <= SMALL && (await hasLatestPair(data, project));
  return `${isMet ? "compare" : "query"} ${project}`;
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

/** A name quoted as a single word for the shell. */
function quoted(name: string): string {
  return /^[\w.:/@+-]+$/.test(name) && !name.startsWith("-") ? name : `'${name.replaceAll("'", "'\\''")}'`;
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
  world: World,
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
    const report = await importShown(world, data, project, kind, file);
    counts[kind] += report.lines - report.bad_lines;
    changed += report.changed;
    badLines += report.bad_lines;
    inEvaluations ||= report.in_evaluations;
    if (world.signal.aborted) break;
  }

  const seconds = (performance.now() - started) / 1000;
  const rate = Math.round((counts.calls + counts.rows) / seconds);
  const andRows = rows.length === 0 ? "" : ` and ${counted(counts.rows, "row")}`;
  await tell(
    world,
    `imported ${counted(counts.calls, "call")}${andRows} into ${project} (${data.where}) in ${seconds.toFixed(1)} s, ` +
      `${number(rate)}/s; ${number(changed)} new or changed`,
  );
  if (world.signal.aborted) {
    say(
      world,
      "assay: interrupted: what was read so far is imported; import the same files again for the rest",
    );
    return EXIT.failed;
  }
  if (badLines > 0) say(world, `assay: ${counted(badLines, "bad line")} skipped`);
  if (calls.length > 0 && !inEvaluations && !options.allowMissing) {
    const names = calls.map(({ name }) => (name === "stdin" ? "-" : name)).join(", ");
    say(world, `assay: no line of ${names} belongs to an evaluation: ${WHAT_A_TRIAL_IS}`);
    return EXIT.usage;
  }
  return badLines === 0 ? EXIT.ok : EXIT.badLines;
}

async function importShown(
  world: World,
  data: DataAccess,
  project: string,
  kind: LineKind,
  file: InputFile,
): Promise<ImportReport> {
  const progress = await showProgress(world, { ...file, unit: "lines" });
  let report: ImportReport;
  try {
    report = await data.importLines(project, kind, watched(world, file, progress));
  } finally {
    progress.stop();
  }
  for (const { line, reason } of report.bad) say(world, `${file.name}:${line}: ${reason}`);
  const more = report.bad_lines - report.bad.length;
  if (more > 0) say(world, `${file.name}: and ${counted(more, "more bad line")}`);
  return report;
}

/** The content of a file, which ends after a complete line if the command is stopped. */
async function* watched(world: World, file: InputFile, progress: ShownProgress): AsyncGenerator<Uint8Array> {
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
      if (world.signal.aborted) return;
      held.push(piece.subarray(end));
      size += piece.length - end;
    }
  } catch (error) {
    if (world.signal.aborted) return;
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
