// Writes calls: waiting puts are written together, texts to the journal first, then the index in one transaction. A
// crash in between leaves texts without index entries, which are cut off when the store is opened next.

import { Fault } from "@assay/base";
import { batchQueue, inTurns, serialQueue, timeSlice } from "@assay/base/internal";
import type { CallLines, CallText, CallWriter, JoinCalls, ProjectCalls, RecordWriter } from "@assay/calls";
import { batchLength, writePlan } from "@assay/calls/internal";
import type { Database, Transaction } from "../database/database.ts";
import type { Project, Projects } from "../database/projects.ts";
import { idHash } from "../records/id-hash.ts";
import type { Journal, PreparedRecords, RecordLocation } from "../records/journal.ts";
import { areDistinct, areStored, namesIn, recordsIn } from "../records/record-lines.ts";
import { addEntries, addMoves, type FoundCall, findById, markDeleted, removeEntries } from "./call-index.ts";
import { indexEntriesOf, indexEntriesOfLines } from "./index-entries.ts";
import { type KnownCall, type KnownCalls, knownCalls } from "./known-calls.ts";
import { type NewProjectIds, newProjectIds } from "./new-project-ids.ts";

// How many calls of a put are serialized together, and how many are processed without yielding.
const [SLICE, AT_ONCE] = [2048, 512];
// The bytes (or characters) of calls that may wait.
const WAITING = 256 * 1024 * 1024;

interface Put {
  readonly parts: readonly ProjectCalls[];
  readonly join: JoinCalls | undefined;
  readonly count: number;
  /** Bytes, or characters. */
  readonly size: number;
}

/** The part of a put that belongs to a project. */
interface Part {
  readonly put: Put;
  readonly calls: readonly CallText[];
}

interface Change {
  readonly item: CallText;
  readonly idHash: number;
  readonly known: KnownCall | undefined;
  /** The put that last changed it. */
  readonly put: Put;
}

interface WriterParts {
  readonly database: Database;
  readonly journal: Journal;
  readonly projects: Projects;
  readonly seed: number;
  readonly newIds: NewProjectIds;
  readonly known: KnownCalls;
}

/**
 * Creates the writer of a database's calls; there must be only one. A put is stored completely or not at all, becomes
 * visible to all readers simultaneously, and is on the disk when the promise resolves. Throws an `overloaded` fault if
 * more is waiting than may be kept in memory. `idle` resolves when nothing waits to be written.
 */
export function callWriter(
  database: Database,
  journal: Journal,
  projects: Projects,
  seed: number,
): CallWriter & { readonly putLines: RecordWriter["putCalls"]; readonly idle: () => Promise<void> } {
  const parts = { database, journal, projects, seed, newIds: newProjectIds(), known: knownCalls(journal) };
  const inTurn = serialQueue();
  let waiting = 0;
  const queue = batchQueue<Put, number>({
    write(group) {
      for (const { size } of group) waiting -= size;
      return writePuts(parts, group);
    },
    lengthOf: batchLength,
    inTurn,
  });

  const putTogether: CallWriter["putTogether"] = async (some, join) => {
    let [count, size] = [0, 0];
    for (const { calls } of some) {
      count += calls.length;
      for (const { text } of calls) size += text.length;
    }
    if (count === 0) return 0;
    if (waiting > WAITING) throw new Fault("overloaded", "too many calls are waiting to be written");
    waiting += size;
    return queue({ parts: some, join, count, size });
  };

  return {
    idle: () => inTurn(async () => {}),
    put: (project, calls, join) => putTogether([{ project, calls }], join),
    putTogether,
    putLines: (name, calls) => putLines(parts, name, calls),
    delete: (name, ids, at) => deleteCalls(parts, name, ids, at),
  };
}

/** Writes puts in one transaction; resolves to the number of calls that each changed. */
async function writePuts(parts: WriterParts, group: readonly Put[]): Promise<readonly number[]> {
  const { database, journal, projects } = parts;
  const changed = new Map<Put, number>();
  const written = new Map<string, Project>();
  const prepare = (changes: readonly Change[]) => prepareChanges(journal, changes);
  await database.write(async (transaction) => {
    for (const [name, ofProject] of byProject(group)) {
      const project = projects.next(name);
      const changes = await changesOf(parts, transaction, project, ofProject);
      const next = { ...project, version: project.version + 1 };
      const onDisk: Promise<void>[] = [];
      try {
        for await (const [some, prepared] of preparedAhead(slices(changes, SLICE), prepare)) {
          await writeChanges(parts, transaction, next, some, prepared, onDisk);
          for (const { put } of some) changed.set(put, (changed.get(put) ?? 0) + 1);
        }
        if (onDisk.length === 0) continue;
        await projects.save(name, next, transaction);
      } finally {
        // The index is changed while the disk is awaited, but committed only once the texts are on it.
        await Promise.all(onDisk);
      }
      written.set(name, next);
    }
  });
  for (const [name, project] of written) projects.remember(name, project);
  return group.map((put) => changed.get(put) ?? 0);
}

async function changesOf(
  { seed, newIds, known }: WriterParts,
  transaction: Transaction,
  next: Project,
  parts: readonly Part[],
): Promise<Iterable<Change>> {
  const { number: project } = next;
  // One piece after another. An id that occurs twice is looked up twice, which is cheaper than a Map of all ids.
  const hashes: number[] = [];
  const pause = timeSlice();
  let areNew = true;
  for (const { calls } of parts)
    for (let i = 0; i < calls.length; i += AT_ONCE) {
      const some = calls.slice(i, i + AT_ONCE).map(({ call }) => idHash(call.id, project, seed));
      hashes.push(...some);
      areNew = newIds.addNew(next, some) && areNew;
      const turn = pause();
      if (turn !== undefined) await turn;
    }
  if (areNew) return newCalls(parts, hashes);
  const { byId, damaged } = await known.find(transaction, project, hashes);
  if (byId.size === 0 && damaged.size === 0 && areDistinct(hashes)) return newCalls(parts, hashes);
  const plan = writePlan<KnownCall, Put>({
    find: (id) => byId.get(id) ?? (damaged.size === 0 ? undefined : damaged.get(idHash(id, project, seed))),
    callOf: ({ item }) => item,
    isSame: ({ item }, next) => item !== undefined && isSame(item, next),
  });
  for (const { put, calls } of parts) {
    for (const piece of calls) {
      const turn = pause();
      if (turn !== undefined) await turn;
      await inTurns(plan.add(piece, put, put.join), pause);
    }
  }
  return plan.changes().map(({ item, stored, put }) => ({
    item,
    idHash: idHash(item.call.id, project, seed),
    known: stored,
    put,
  }));
}

async function indexChanges(
  seed: number,
  transaction: Transaction,
  { number, version }: Project,
  changes: readonly Change[],
  locations: readonly RecordLocation[],
): Promise<void> {
  const entries = indexEntriesOf({ project: number, version, seed, calls: changes, locations });
  const replaced: FoundCall[] = [];
  const moves: { project: number; version: number; parentHash: number }[] = [];
  for (const [i, { known }] of changes.entries()) {
    if (known === undefined) continue;
    const { parentHash } = known.found;
    replaced.push(known.found);
    if (parentHash !== null && parentHash !== entries.parentHashes[i])
      moves.push({ project: number, version, parentHash });
  }
  await removeEntries(transaction, replaced);
  await addEntries(transaction, entries);
  await addMoves(transaction, moves);
}

function prepareChanges(journal: Journal, changes: readonly Change[]): Promise<PreparedRecords> {
  return journal.prepare(
    changes.map(({ item }) => (item.crc === undefined ? oneLine(item.text) : bytesOf(item.text))),
    changes.map(({ item }) => item.crc),
  );
}

async function writeChanges(
  { seed, known }: WriterParts,
  transaction: Transaction,
  project: Project,
  changes: readonly Change[],
  prepared: PreparedRecords,
  onDisk: Promise<void>[],
): Promise<void> {
  const texts = prepared.begin();
  const done = texts.onDisk.then(() => remember(known, changes, texts.locations));
  // Awaited at the end; until then its failure must not count as unhandled.
  done.catch(() => undefined);
  onDisk.push(done);
  const pause = timeSlice();
  for (let i = 0; i < changes.length; i += AT_ONCE) {
    const turn = pause();
    if (turn !== undefined) await turn;
    const [from, to] = [i, i + AT_ONCE];
    await indexChanges(seed, transaction, project, changes.slice(from, to), texts.locations.slice(from, to));
  }
}

// If the transaction fails after this, nothing ever points at these locations.
function remember(known: KnownCalls, changes: readonly Change[], locations: readonly RecordLocation[]): void {
  for (const { known: before } of changes) if (before !== undefined) known.forget(before.found);
  for (const [i, { item, put }] of changes.entries())
    if (put.join !== undefined) known.remember(locations[i]!.at, item);
}

/** Writes new calls as lines, unless exactly these are stored; undefined if only some of them are. */
async function putLines(
  parts: WriterParts,
  name: string,
  calls: readonly CallLines[],
): Promise<number | undefined> {
  const { database, journal, projects, seed, newIds } = parts;
  const find = async (project: number, hashes: readonly number[]) =>
    (await findById(database, project, hashes)).filter(({ deletedAt }) => deletedAt === null);
  if (await areStored(calls, { journal, project: projects.find(name)?.number, seed, find })) return 0;
  let written: Project | undefined;
  // While the disk is awaited for earlier records.
  const prepared = await journal.prepare(recordsIn(calls));
  const count = await database.write(async (transaction) => {
    const before = projects.next(name);
    const { number } = before;
    const idHashes = namesIn(calls, number, seed);
    const areNew =
      newIds.addNew(before, idHashes) ||
      ((await findById(transaction, number, idHashes)).length === 0 && areDistinct(idHashes));
    if (!areNew) return undefined;
    const project = { ...before, version: before.version + 1 };
    const { locations, onDisk } = prepared.begin();
    // Awaited below; until then its failure must not count as unhandled.
    onDisk.catch(() => undefined);
    try {
      const shared = { project: number, version: project.version, seed };
      await addEntries(transaction, indexEntriesOfLines({ ...shared, calls, idHashes, locations }));
      await projects.save(name, project, transaction);
    } finally {
      await onDisk;
    }
    written = project;
    return locations.length;
  });
  if (written !== undefined) projects.remember(name, written);
  return count;
}

async function deleteCalls(
  { database, projects, seed, known }: WriterParts,
  name: string,
  ids: readonly string[],
  at: string,
): Promise<number> {
  let deleted: Project | undefined;
  const count = await database.write(async (transaction) => {
    const project = projects.find(name);
    if (project === undefined) return 0;
    const { byId } = await known.find(
      transaction,
      project.number,
      ids.map((id) => idHash(id, project.number, seed)),
    );
    const live = [...new Set(ids)]
      .flatMap((id) => byId.get(id)?.found ?? [])
      .filter((found) => found.deletedAt === null);
    if (live.length === 0) return 0;
    deleted = { ...project, version: project.version + 1 };
    await markDeleted(transaction, live, deleted.version, at);
    await projects.save(name, deleted, transaction);
    return live.length;
  });
  if (deleted !== undefined) projects.remember(name, deleted);
  return count;
}

/** Calls that are all new and have different ids: most of an import, which then needs no Map of them. */
function* newCalls(parts: readonly Part[], hashes: readonly number[]): Generator<Change> {
  let i = 0;
  for (const { put, calls } of parts)
    for (const item of calls) yield { item, idHash: hashes[i++]!, known: undefined, put };
}

/** The items, up to `size` at a time. */
function* slices<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let slice: T[] = [];
  for (const item of items) {
    if (slice.push(item) < size) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

/** Each slice with what is prepared of it, while the slice before is written. */
async function* preparedAhead<T, P>(
  slices: Iterable<T>,
  prepare: (slice: T) => Promise<P>,
): AsyncGenerator<readonly [T, P]> {
  let before: readonly [T, Promise<P>] | undefined;
  for (const slice of slices) {
    const preparing = prepare(slice);
    // Awaited later; until then its failure must not count as unhandled.
    preparing.catch(() => undefined);
    if (before !== undefined) yield [before[0], await before[1]];
    before = [slice, preparing];
  }
  if (before !== undefined) yield [before[0], await before[1]];
}

// Like `isSameCall`, but with a native comparison: repeating an import compares gigabytes.
function isSame(a: CallText, b: CallText): boolean {
  if (a.call.deleted_at !== b.call.deleted_at) return false;
  if (typeof a.text === "string" && typeof b.text === "string") return a.text === b.text;
  return bytesOf(a.text).equals(bytesOf(b.text));
}

function bytesOf(text: string | Uint8Array): Buffer {
  if (typeof text === "string") return Buffer.from(text);
  return Buffer.isBuffer(text) ? text : Buffer.from(text.buffer, text.byteOffset, text.length);
}

// Line breaks in JSON are only white space, and any tool can read one record per line.
function oneLine(text: string | Uint8Array): Buffer {
  const bytes = bytesOf(text);
  return bytes.includes(0x0a) ? Buffer.from(bytes.map((byte) => (byte === 0x0a ? 0x20 : byte))) : bytes;
}

function byProject(group: readonly Put[]): ReadonlyMap<string, readonly Part[]> {
  const projects = new Map<string, Part[]>();
  for (const put of group) {
    for (const { project, calls } of put.parts) {
      const parts = projects.get(project);
      if (parts === undefined) projects.set(project, [{ put, calls }]);
      else parts.push({ put, calls });
    }
  }
  return projects;
}
