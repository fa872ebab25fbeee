// Writes a planned import, lines of rows and calls, into the store, and replaces earlier imports of the same run.

import { Fault } from "@assay/base";
import { lineSplitter } from "@assay/base/internal";
import type { RecordLines } from "@assay/calls";
import { RECORD_SPANS } from "@assay/calls/internal";
import type { KeptDirection } from "@assay/eval-engine";
import { measureName } from "@assay/eval-engine/words";
import type { ImportPlan, ImportTarget } from "@assay/importers";
import { type WrittenEvaluation as ImportedEvaluation, projectOf } from "@assay/importers/internal";
import type { DataAccess, WrittenEvaluation } from "@assay/server/internal";
import type { CliContext } from "../terminal/cli-context.ts";
import { EXIT, Failure } from "../terminal/failure.ts";

/** The result of writing. */
export interface WrittenLogs {
  /** Calls and rows that are new or changed. */
  readonly changed: number;
  /** Earlier imports of the same runs with other content: still present, or replaced if that was requested. */
  readonly earlier: readonly { readonly id: string; readonly name: string }[];
  /** Score directions of the logs that were not stored, and why. */
  readonly lostDirections: readonly string[];
  /** Names used by other evaluations of the same projects. */
  readonly taken: ReadonlySet<string>;
  /** Whether it was stopped before the end. */
  readonly stopped: boolean;
}

/** Writes all evaluations of a plan. */
export async function writeLogs(
  context: CliContext,
  data: DataAccess,
  plan: ImportPlan,
  { replace, ...target }: ImportTarget & { readonly replace: boolean },
  onWritten: (bytes: number, trials: number) => void,
): Promise<WrittenLogs> {
  const { earlier, taken } = await earlierImports(data, plan, target);
  let changed = 0;
  const lostDirections: string[] = [];
  const shown = async function* <Lines extends RecordLines>(pieces: AsyncIterable<Lines>, ofTrials: boolean) {
    for await (const piece of pieces) {
      if (context.signal.aborted) return;
      yield piece;
      onWritten(piece.bytes.length, ofTrials ? piece.spans.length / RECORD_SPANS : 0);
    }
  };
  for (const { project, rows, trials, roots, evaluations, ...directions } of plan.lines(target)) {
    const { records } = data;
    changed += await putNew(data, project, "rows", shown(rows(), false), records?.putRows);
    const newCalls = await putNew(data, project, "calls", shown(trials(), true), records?.putCalls);
    if (context.signal.aborted) return { changed, earlier: [], lostDirections, taken, stopped: true };
    lostDirections.push(
      ...directions.disputed,
      ...(await keepDirections(data, project, directions.directions)),
    );
    changed += newCalls + (await put(data, project, "calls", once(roots())));
    // Columns of existing evaluations are already saved, or were never needed.
    if (newCalls > 0) await data.saveWritten?.(project, evaluations.map(withColumns));
  }
  // New evaluations are written before old ones are deleted.
  if (replace) for (const { project, id } of earlier) changed += await deleteEvaluation(data, project, id);
  return { changed, earlier, lostDirections, taken, stopped: false };
}

/**
 * Stores score directions from logs, unless the project has its own. Returns conflicting ones, which are not stored.
 */
async function keepDirections(
  { directions }: DataAccess,
  project: string,
  given: ReadonlyMap<string, KeptDirection>,
): Promise<readonly string[]> {
  if (given.size === 0 || directions === undefined) return [];
  const kept = await directions.get(project);
  const more = [...given].filter(([field]) => !kept.has(field));
  if (more.length > 0) await directions.put(project, new Map(more));
  return [...given].flatMap(([field, direction]) => {
    const known = kept.get(field) ?? direction;
    if (known === direction) return [];
    return `${measureName(field)}: the log says ${WORDS[direction]}, but the project says ${WORDS[known]}, which takes precedence`;
  });
}

const WORDS: { readonly [Direction in KeptDirection]: string } = {
  higher: "that higher is better",
  lower: "that lower is better",
  none: "that neither is better",
};

/**
 * The number of trials from which columns are saved for the first query, and the maximum of bytes held for that. The
 * first query would hold as many.
 */
const [LARGE, MOST_HELD] = [1000, 256 * 1024 * 1024];

function withColumns({ planned, dataset, size, written }: ImportedEvaluation): WrittenEvaluation {
  const { id, trials, rows } = planned;
  return {
    id,
    trials,
    rows,
    dataset,
    written: trials >= LARGE && size <= MOST_HELD ? written : undefined,
  };
}

async function earlierImports(
  data: DataAccess,
  plan: ImportPlan,
  target: ImportTarget,
): Promise<{
  readonly earlier: readonly { readonly project: string; readonly id: string; readonly name: string }[];
  readonly taken: ReadonlySet<string>;
}> {
  const taken = new Set<string>();
  const earlier: { readonly project: string; readonly id: string; readonly name: string }[] = [];
  const planned = new Set(plan.evaluations.map(({ id }) => id));
  const projects = new Set(plan.evaluations.map(({ dataset }) => projectOf(dataset, target)));
  for (const project of projects) {
    const runs = new Set(
      plan.evaluations.filter(({ dataset }) => projectOf(dataset, target) === project).map(({ run }) => run),
    );
    for (const { id, name } of await listed(data, project)) {
      const run = id.slice(2, Math.max(2, id.lastIndexOf("-")));
      if (!planned.has(id)) taken.add(name ?? id);
      if (runs.has(run) && !planned.has(id)) earlier.push({ project, id, name: name ?? id });
    }
  }
  return { earlier, taken };
}

/** The evaluations of a project; none if a record for their list is damaged, as importing it again repairs it. */
async function listed(
  data: DataAccess,
  project: string,
): Promise<Awaited<ReturnType<DataAccess["evaluations"]>>> {
  try {
    return await data.evaluations(project);
  } catch (error) {
    if (error instanceof Fault && error.code === "corrupt") return [];
    throw error;
  }
}

/** The size in bytes of lines that are written in one transaction. */
const TOGETHER = 8 * 1024 * 1024;

/**
 * Writes lines directly, each part while the next is being built, until a record exists already; then as plain lines.
 */
async function putNew<Lines extends RecordLines>(
  data: DataAccess,
  project: string,
  kind: "rows" | "calls",
  pieces: AsyncGenerator<Lines>,
  write: ((project: string, some: readonly Lines[]) => Promise<number | undefined>) | undefined,
): Promise<number> {
  let [changed, size] = [0, 0];
  let some: Lines[] = [];
  let known: Lines[] | undefined = write === undefined ? [] : undefined;
  // Two parts are written at a time: one is compressed while the disk is awaited for the other.
  let writing: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()];
  const begin = async (): Promise<void> => {
    const next = some;
    [some, size] = [[], 0];
    const [earlier, last] = writing;
    await earlier;
    writing = [last, written(next)];
    // Awaited later; until then its failure must not count as unhandled.
    writing[1].catch(() => undefined);
  };
  const written = async (next: Lines[]): Promise<void> => {
    const count = known === undefined && next.length > 0 ? await write!(project, next) : undefined;
    if (count === undefined) known = [...(known ?? []), ...next];
    else changed += count;
  };
  for (let isDone = false; !isDone && known === undefined; ) {
    const next = await pieces.next();
    isDone = next.done === true;
    if (next.done !== true) {
      some.push(next.value);
      size += next.value.bytes.length;
    }
    if (isDone || size >= TOGETHER) await begin();
  }
  for (const one of writing) await one;
  if (known === undefined) return changed;
  const rest = async function* () {
    for (const { bytes } of [...known!, ...some]) yield bytes;
    for await (const { bytes } of pieces) yield bytes;
  };
  return changed + (await put(data, project, kind, rest()));
}

async function put(
  data: DataAccess,
  project: string,
  kind: "rows" | "calls",
  lines: AsyncIterable<Uint8Array>,
): Promise<number> {
  const report = await data.importLines(project, kind, lines);
  // The root comes last: without it, what was not written completely is not an evaluation.
  if (report.bad_lines > 0) throw new Failure(EXIT.failed, `${project}: ${report.bad[0]!.reason}`);
  return report.changed;
}

/** Deletes an evaluation by writing each of its calls again as deleted. */
async function deleteEvaluation(data: DataAccess, project: string, id: string): Promise<number> {
  const lines: (string | undefined)[] = [];
  const splitter = lineSplitter();
  const decoder = new TextDecoder();
  for await (const piece of data.exportLines(project, "calls", [id]))
    lines.push(...splitter.push(decoder.decode(piece, { stream: true })));
  const deleted_at = new Date().toISOString();
  const calls = [...lines, ...splitter.end()].flatMap((line) => {
    if (line === undefined || line.trim() === "") return [];
    const {
      id: call,
      trace_id,
      parent_id,
      op_name,
      started_at,
    } = JSON.parse(line) as { readonly [key: string]: unknown };
    return [{ id: call, trace_id, parent_id, op_name, started_at, ended_at: started_at, deleted_at }];
  });
  const deleted = Buffer.from(calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
  return put(data, project, "calls", once(deleted));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
