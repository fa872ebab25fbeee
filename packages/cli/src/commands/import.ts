// assay import: brings calls and dataset rows from files into a project.

import type { ImportReport, LineKind } from "@assay/adapters-http";
import type { DataAccess } from "../data-access.ts";
import { EXIT } from "../failure.ts";
import { type InputFile, inputFile } from "../input-file.ts";
import { type OpenOptions, openData } from "../open-data.ts";
import { type ShownProgress, showProgress } from "../progress-bar.ts";
import { projectArgument } from "../project-argument.ts";
import { print, say, type World } from "../world.ts";

/** What to import. */
export interface ImportOptions extends OpenOptions {
  readonly project: string;
  /** Files of calls; `-` is the standard input. */
  readonly calls: readonly string[];
  /** Files of dataset rows. */
  readonly rows: readonly string[];
  /** Whether calls may be imported that are part of no evaluation. */
  readonly allowMissing: boolean;
}

const WHAT_A_TRIAL_IS =
  "a trial is a call whose op_name is Evaluation.predict_and_score, with the id of its evaluation as parent_id, " +
  'its row in inputs.example, and {"output": ..., "scores": {...}} as its output';

/** Imports files and says what became of them. Gives the exit code. */
export async function importCommand(world: World, options: ImportOptions): Promise<number> {
  const project = projectArgument(options.project);
  const started = performance.now();
  // Every file is looked at before the first is read: a wrong name costs no wait.
  const files: (readonly [LineKind, InputFile])[] = [];
  for (const path of options.rows) files.push(["rows", await inputFile(world, path)]);
  for (const path of options.calls) files.push(["calls", await inputFile(world, path)]);

  const data = await openData(world, options);
  const counts = { calls: 0, rows: 0 };
  let [changed, badLines, inEvaluations] = [0, 0, false];
  try {
    for (const [kind, file] of files) {
      const report = await importShown(world, data, project, kind, file);
      counts[kind] += report.lines - report.bad_lines;
      changed += report.changed;
      badLines += report.bad_lines;
      inEvaluations ||= report.in_evaluations;
      if (world.signal.aborted) break;
    }
  } finally {
    await data.close();
  }

  const seconds = (performance.now() - started) / 1000;
  const rate = Math.round((counts.calls + counts.rows) / seconds);
  const rows = options.rows.length === 0 ? "" : ` and ${count(counts.rows, "row")}`;
  await print(
    world,
    `imported ${count(counts.calls, "call")}${rows} into ${project} (${data.where}) in ${seconds.toFixed(1)} s, ` +
      `${number(rate)}/s; ${number(changed)} new or changed`,
  );
  if (world.signal.aborted) {
    say(
      world,
      "assay: stopped before the end; what was read is in, and importing the same files again brings the rest",
    );
    return EXIT.failed;
  }
  if (badLines > 0) say(world, `assay: ${count(badLines, "bad line")} left out`);
  if (options.calls.length > 0 && !inEvaluations && !options.allowMissing) {
    say(world, `assay: no line of ${options.calls.join(", ")} is part of any evaluation: ${WHAT_A_TRIAL_IS}`);
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
  const progress = await showProgress(world, file);
  let report: ImportReport;
  try {
    report = await data.importLines(project, kind, watched(world, file, progress));
  } finally {
    progress.stop();
  }
  for (const { line, reason } of report.bad) say(world, `${file.name}:${line}: ${reason}`);
  const more = report.bad_lines - report.bad.length;
  if (more > 0) say(world, `${file.name}: and ${count(more, "more bad line")}`);
  return report;
}

/** The content of a file as it is read, which ends after a whole line when the command is told to stop. */
async function* watched(world: World, file: InputFile, progress: ShownProgress): AsyncGenerator<Uint8Array> {
  let read = 0;
  const content = file.read((bytes) => {
    read += bytes;
  });
  for await (const piece of content) {
    let lines = 0;
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) lines++;
    progress.advance(read, lines);
    read = 0;
    if (!world.signal.aborted) yield piece;
    else {
      yield piece.subarray(0, piece.indexOf(NEWLINE) + 1);
      return;
    }
  }
}

const NEWLINE = 0x0a;

function number(value: number): string {
  return value.toLocaleString("en");
}

function count(value: number, what: string): string {
  return `${number(value)} ${what}${value === 1 ? "" : "s"}`;
}
