// Evaluations in files that are queried without an import: read into memory for the duration of the command.

import { existsSync, statSync } from "node:fs";
import { isAbsolute, parse, relative } from "node:path";
import { Fault, jsonText } from "@assay/base";
import { parseJson } from "@assay/base/internal";
import { type Call, type CallSource, type DatasetRow, memoryRows, type RowSource } from "@assay/calls";
import { RECORD_SPANS } from "@assay/calls/internal";
import { type CountedEvaluation, memoryDirections } from "@assay/eval-engine";
import {
  byStart,
  chooseEvaluations,
  engineOver,
  evaluationEntry,
  inMemorySegment,
} from "@assay/eval-engine/internal";
import { groupBy, type ProjectLines, type WrittenEvaluation } from "@assay/importers/internal";
import { type DataAccess, listedProjects } from "@assay/server/internal";
import { temporaryScratch } from "../files/temporary-scratch.ts";
import { exitCodeOf, logRefused, type ReadingOptions, readPlan } from "../import/import-plan.ts";
import { leftOutTotals } from "../import/import-report.ts";
import { importSources } from "../import/import-sources.ts";
import { kebabCase } from "../settings/kebab-case.ts";
import { type CliContext, info } from "../terminal/cli-context.ts";
import { EXIT, Failure } from "../terminal/failure.ts";
import type { OpenOptions } from "./open-data.ts";
import { projectArgument } from "./project-argument.ts";

/** The data of a source. */
export interface SourceData extends DataAccess {
  /** The evaluations of several files in the order of the arguments, if each argument has one. */
  readonly inOrder?: readonly string[] | undefined;
}

/** The project for evaluations in files. */
const FILE_PROJECT = "local/files";

/** Where a command reads evaluations: a project, or files. */
export interface EvaluationSource {
  /** Empty for a project. */
  readonly files: readonly string[];
  readonly project: string;
  /** The arguments after it. */
  readonly names: readonly string[];
}

/**
 * The source given by the first argument; if it is a file, others may be further files. Fails if it is neither a
 * project nor a file.
 */
export function sourceOf(first: string, others: readonly string[]): EvaluationSource {
  const args = [first, ...others];
  // `a/b` is a folder instead of a project if it is among other files or folders.
  const areFiles = args.length > 1 && args.every((arg) => arg === "-" || existsSync(arg));
  const other = areFiles ? -1 : args.findIndex((arg) => !isFile(arg));
  const files = other === -1 ? args : args.slice(0, other);
  return files.length > 0
    ? { files, project: FILE_PROJECT, names: args.slice(files.length) }
    : { files, project: projectArgument(first, "a file"), names: others };
}

/** Whether an argument is a file, or a folder that cannot be meant as a project. */
export function isFile(arg: string): boolean {
  if (arg === "-") return true;
  // A part of a project's name may be that of a file, which `statSync` would throw for.
  return existsSync(arg) && !(statSync(arg).isDirectory() && /^[^./][^/]*\/[^/]+$/.test(arg));
}

/**
 * Opens the evaluations of a source, with files read according to `reading`. Fails if reading options are given without
 * files.
 */
export async function openSource(
  context: CliContext,
  { files, project }: EvaluationSource,
  { reading, ...options }: OpenOptions & { readonly reading: ReadingOptions },
): Promise<SourceData> {
  if (files.length > 0) return openFiles(context, files, reading);
  const given = Object.entries(reading).flatMap(([name, value]) =>
    isGiven(value) ? [`--${kebabCase(name)}`] : [],
  );
  if (given.length > 0)
    throw new Failure(
      EXIT.usage,
      `${given.join(", ")} can only be used with files, and ${project} is a project`,
    );
  // Files need no store.
  const { openData } = await import("./open-data.ts");
  return openData(context, options);
}

/** Whether an option was given: those that can be repeated are empty otherwise. */
function isGiven(value: ReadingOptions[keyof ReadingOptions]): boolean {
  if (value === undefined) return false;
  return typeof value === "string" || ("size" in value ? value.size : value.length) > 0;
}

/** Reads files, reports how they were read, and returns their evaluations. Fails if there are none. */
async function openFiles(
  context: CliContext,
  paths: readonly string[],
  reading: ReadingOptions,
): Promise<SourceData> {
  const files = await importSources(context, paths, reading.from);
  const scratch = temporaryScratch();
  const close = async (): Promise<void> => {
    await scratch.close();
    await files.close();
  };
  try {
    const plan = await readPlan(context, files.files, { ...reading, scratch });
    if (plan === undefined) throw new Failure(EXIT.failed, "interrupted");
    const refusals = logRefused(context, plan, files.found);
    const where = paths.join(", ");
    const calls = [...files.calls.map(({ name }) => name), ...plan.calls.map(({ path }) => path)];
    if (calls.length > 0)
      throw new Failure(EXIT.usage, `${calls.join(", ")}: calls of a trace; use assay import first`);
    if (plan.evaluations.length === 0)
      throw new Failure(exitCodeOf(0, refusals), `no evaluation in ${where}`);
    // Without a named file, the answer would be for a different question.
    if (refusals !== "none")
      throw new Failure(exitCodeOf(0, refusals), "a file could not be read: no answer");
    const lines = plan.lines({ project: FILE_PROJECT })[0]!;
    for (const sentence of [...plan.notes, ...leftOutTotals(plan), ...lines.disputed])
      info(context, `assay: note: ${sentence}`);
    return await dataOf(lines, { where, paths, close });
  } catch (error) {
    await close();
    throw error;
  }
}

interface FileParts extends Pick<DataAccess, "where" | "close"> {
  /** The files and folders that were named. */
  readonly paths: readonly string[];
}

/** The evaluations of files. */
async function dataOf(lines: ProjectLines, { where, paths: named, close }: FileParts): Promise<SourceData> {
  const roots = new Map(Array.from(recordsIn<Call>(lines.roots()), (call) => [call.id, call]));
  const groups = groupBy(lines.evaluations, ({ paths }) => argumentOf(paths, named));
  for (const alike of sameNames(lines.evaluations)) {
    const folder = commonFolder(alike.map(({ paths: [path = ""] }) => path));
    for (const { planned, paths } of alike) {
      const path = paths[0]!.slice(folder.length);
      const name = parse(path).name === planned.name ? path : `${planned.name} (${path})`;
      roots.set(planned.id, { ...roots.get(planned.id)!, display_name: name });
    }
  }
  const directions = memoryDirections();
  await directions.put(FILE_PROJECT, lines.directions);
  const calls: CallSource = {
    version: () => 1,
    calls: (_, ids) => ids.map((id) => roots.get(id)),
    async *trees(_, evaluation) {
      for await (const { root, bytes } of lines.trials())
        if (root === evaluation) yield Array.from(recordsIn<Call>(bytes), (call) => ({ call, children: [] }));
    },
    changes: () => [],
  };
  const columns = new Map(lines.evaluations.map(({ planned, written }) => [planned.id, written]));
  const parts = { calls, rows: rowsRead(lines.rows), directions };
  const engine = engineOver(parts, async (_, evaluation, work) => {
    const written = columns.get(evaluation)?.();
    return written && inMemorySegment(written, work);
  });
  // Arguments keep their order; what one of them contains is ordered by time.
  const ordered = Array.from(groups.values(), (group) =>
    byStart(
      group.map(({ planned, dataset }): CountedEvaluation => {
        const entry = evaluationEntry(roots.get(planned.id)!, planned.trials);
        return { ...entry, rows: planned.rows, dataset };
      }),
    ),
  );
  const entries = ordered.flat();

  /** The lines of these calls and their descendants. */
  async function* callLines(wanted: readonly string[] | undefined): AsyncGenerator<Uint8Array> {
    const missing = new Set(wanted);
    const found: Uint8Array[] = [];
    for await (const { bytes, names, spans, root } of lines.trials()) {
      if (wanted?.includes(root) !== false) found.push(bytes);
      else
        for (let i = 0, from = 0; i < spans.length; i += RECORD_SPANS) {
          const next = spans[i + 2]! + 1;
          const id = names + decoder.decode(bytes.subarray(spans[i], spans[i + 1]));
          if (missing.delete(id)) found.push(bytes.subarray(from, next));
          from = next;
        }
    }
    for (const [id, call] of roots)
      if (wanted === undefined || missing.delete(id)) found.push(encoder.encode(`${jsonText(call)}\n`));
    if (missing.size > 0) throw new Fault("missing", `${where} has no evaluation ${[...missing].join(", ")}`);
    yield* found;
  }

  return {
    where,
    inOrder:
      ordered.length > 1 && entries.length === ordered.length ? entries.map(({ id }) => id) : undefined,
    directions,
    listProjects: () =>
      listedProjects({ projects: async () => [FILE_PROJECT], entries: async () => entries }),
    evaluations: (_, choice = {}) => chooseEvaluations(entries, choice, (some) => some),
    query: (project, body) => engine.answer(project, body),
    statistics: (question, project, body) => engine.answerStatistics(question, project, body),
    importLines: () => Promise.reject(new Fault("denied", `${where} is read-only: use assay import`)),
    async *exportLines(_, kind, wanted) {
      if (kind === "calls") yield* callLines(wanted);
      else for await (const { bytes } of lines.rows()) yield bytes;
    },
    close,
  };
}

/** The one of the `named` paths that these files were read for. A pipe is its own argument. */
function argumentOf(paths: readonly string[], named: readonly string[]): unknown {
  return (
    named.find((one) => {
      const inside = relative(one, paths[0]!);
      return !inside.startsWith("..") && !isAbsolute(inside);
    }) ?? paths
  );
}

/** The evaluations that neither their name nor their model distinguishes from others, with these. */
function sameNames(evaluations: readonly WrittenEvaluation[]): readonly (readonly WrittenEvaluation[])[] {
  const groups = groupBy(evaluations, ({ planned: { name, model } }) => JSON.stringify([name, model]));
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** The folder that all of these files are in, with its slash. */
function commonFolder([first = "", ...others]: readonly string[]): string {
  let folder = first;
  while (folder !== "" && !(folder.endsWith("/") && others.every((path) => path.startsWith(folder))))
    folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return folder;
}

/** Rows that are parsed when the first of them is requested. */
function rowsRead(lines: () => AsyncIterable<{ readonly bytes: Uint8Array }>): RowSource {
  const read = async (): Promise<RowSource> => {
    const rows = memoryRows();
    for await (const { bytes } of lines()) rows.put(FILE_PROJECT, [...recordsIn<DatasetRow>(bytes)]);
    return rows;
  };
  let kept: Promise<RowSource> | undefined;
  return {
    version: () => 1,
    async rows(project, refs) {
      kept ??= read();
      return (await kept).rows(project, refs);
    },
  };
}

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

/** The records in complete lines of JSON. */
function* recordsIn<Item>(bytes: Uint8Array): Generator<Item> {
  for (const line of decoder.decode(bytes).split("\n"))
    if (line !== "") yield parseJson(line) as unknown as Item;
}
