// Writes calls in batches: puts that wait during a write are written together.

import { atOnce, Fault } from "@assay/base";
import { batchQueue, serialQueue } from "@assay/base/internal";
import {
  type Call,
  type CallText,
  type CallWriter,
  isPredictAndScore,
  type JoinCalls,
  microseconds,
} from "@assay/calls";
import { batchLength, utf8Text, writePlan } from "@assay/calls/internal";
import { quoted } from "../columns/json-paths.ts";
import { startedText } from "../columns/trial-rows.ts";
import type { ClickHouse } from "../connection/clickhouse.ts";
import type { Tables } from "../connection/schema.ts";
import { Parameters } from "../sql/statement.ts";
import { callOf, hashOf } from "./call-text.ts";
import { inFlightWrites } from "./in-flight-writes.ts";
import { type CallChange, formerParents, type StoredState, trialWriter } from "./trial-writer.ts";
import type { Versions } from "./versions.ts";

// Each attempt after the first means that another process wrote in between.
const MOST_LOOKS = 20;

/**
 * The version of the rules that derive trials from calls. After it changes, `migrateClickHouse` reads all calls again
 * if a schema step requests it.
 */
export const RULES = 1;

interface Put {
  readonly project: string;
  readonly calls: readonly CallText[];
  readonly count: number;
  readonly join: JoinCalls | undefined;
}

/**
 * The writer of a database's calls. Calls of several projects are written one project after another. Throws a
 * `conflict` fault if too many other processes join the same calls concurrently. `rewrite` writes unchanged calls
 * again, and their trials according to the current rules.
 */
export function callWriter(
  clickhouse: ClickHouse,
  tables: Tables,
  versions: Versions,
): CallWriter & { readonly rewrite: (project: string, ids: readonly string[]) => Promise<void> } {
  const trials = trialWriter(clickhouse, tables);
  const writes = inFlightWrites(clickhouse, tables);
  // Writes are serialised, because two writes of this process to the same call must not both replace what they found.
  const inTurn = serialQueue();

  const knownOf = async (
    project: string,
    ids: readonly string[],
    withText: boolean,
  ): Promise<ReadonlyMap<string, StoredState>> => {
    const parameters = new Parameters();
    const where = `project = ${parameters.text(project)} AND id IN ${parameters.texts(ids)}`;
    const text = withText ? "text" : "NULL";
    const sql = `SELECT id, toString(version), parent, left_parents, trial, deleted_at, hash, ${text} FROM ${tables.calls} FINAL WHERE ${where}`;
    const rows = await clickhouse.query(parameters.statement(sql));
    // Checked after reading: a write that ends in between has also finished writing these calls.
    const open = rows.length === 0 ? new Set<number>() : await writes.versions(project);
    return new Map(
      rows.map((row) => {
        const known = knownOfRow(row, open);
        return [known.id, known];
      }),
    );
  };

  const write = (project: string, changes: readonly CallChange[]): Promise<void> => {
    const version = versions(Math.max(0, ...changes.map(({ known }) => known?.version ?? 0)));
    return writes.during(project, version, async () => {
      await clickhouse.insert(
        tables.calls,
        changes.map((change) => callLine(project, version, change)),
      );
      await clickhouse.insert(
        tables.children,
        changes.flatMap((change) => childLines(project, version, change)),
      );
      await trials(project, version, changes);
      return { what: "calls", moved: changes.some((change) => formerParents(change).length > 0) };
    });
  };

  /** Writes puts of one project that join in the same way. */
  const writePuts = async (group: readonly Put[]): Promise<readonly number[]> => {
    const { project, join } = group[0]!;
    const ids = [...new Set(group.flatMap(({ calls }) => calls.map(({ call }) => call.id)))];
    let counts: ReadonlyMap<Put, number> | undefined;
    // A joined call is read again after writing: another process may have written what it joined at the same time,
    // and then one of the two is missing. The last one to read sees both, and joins them.
    for (let look = 0; ; look++) {
      if (look === MOST_LOOKS)
        throw new Fault("conflict", "too many other processes are writing the same calls");
      const known = await knownOf(project, ids, join !== undefined);
      // Otherwise later attempts would collide with each other's writes forever.
      const changes = changesOf(group, known, look === 0);
      if (changes.length > 0) await write(project, changes);
      counts ??= countsOf(changes);
      if (join === undefined || changes.length === 0) break;
    }
    return group.map((put) => counts.get(put) ?? 0);
  };

  const queue = batchQueue<Put, number>({
    write: writePuts,
    lengthOf: (puts) =>
      batchLength(puts, (put, first) => put.project === first.project && put.join === first.join),
    inTurn,
  });

  const put: CallWriter["put"] = async (project, calls, join) =>
    calls.length === 0 ? 0 : queue({ project, calls, count: calls.length, join });

  return {
    put,

    rewrite: (project, ids) =>
      inTurn(async () => {
        const known = await knownOf(project, ids, true);
        const changes = [...known].map(
          ([id, before]): CallChange => ({ ...wholeOf(id, before.text!, before.deletedAt), known: before }),
        );
        if (changes.length > 0) await write(project, changes);
      }),

    async putTogether(parts, join) {
      let changed = 0;
      for (const { project, calls } of parts) changed += await put(project, calls, join);
      return changed;
    },

    delete: (project, ids, at) =>
      inTurn(async () => {
        const known = await knownOf(project, [...new Set(ids)], true);
        const changes = [...known].flatMap(([id, before]): CallChange[] => {
          if (before.deletedAt !== null && !before.open) return [];
          const { call } = wholeOf(id, before.text!, before.deletedAt ?? at);
          return [{ call, text: before.text!, known: before }];
        });
        if (changes.length > 0) await write(project, changes);
        return changes.length;
      }),
  };
}

function knownOfRow(
  row: readonly unknown[],
  open: ReadonlySet<number>,
): StoredState & { readonly id: string } {
  const [id, version, parent, left, trial, deletedAt, hash, text] = row as [
    id: string,
    version: string,
    parent: string | null,
    left: readonly string[],
    trial: number,
    deletedAt: string | null,
    hash: string,
    text: string | null,
  ];
  const isOpen = open.has(Number(version));
  const parents = [...(parent === null ? [] : [parent]), ...(isOpen ? left : [])];
  return {
    id,
    version: Number(version),
    open: isOpen,
    parents,
    // The state before an open write is unknown: it may have been one.
    trial: trial === 1 || isOpen,
    deletedAt,
    hash,
    text: text ?? undefined,
  };
}

function wholeOf(
  id: string,
  text: string,
  deletedAt: string | null,
): { readonly call: Call; readonly text: string } {
  return { call: callOf(id, text, deletedAt), text };
}

/**
 * The changes that the puts make to stored calls. Leaves out unchanged calls, unless `withOpen` is set and their write
 * is open.
 */
function changesOf(
  group: readonly Put[],
  known: ReadonlyMap<string, StoredState>,
  withOpen: boolean,
): (CallChange & { readonly put: Put })[] {
  const plan = writePlan<StoredState & { readonly id: string }, Put>({
    find: (id) => {
      const before = known.get(id);
      return before === undefined ? undefined : { ...before, id };
    },
    callOf: ({ id, text, deletedAt }) => (text === undefined ? undefined : wholeOf(id, text, deletedAt)),
    isSame: ({ hash, deletedAt, open }, { call, text }) =>
      hash === hashOf(utf8Text(text)) && deletedAt === call.deleted_at && !(open && withOpen),
  });
  for (const put of group) for (const piece of put.calls) atOnce(plan.add(piece, put, put.join));
  return plan.changes().map(({ item: { call, text }, stored, put }) => ({
    // The text contains the payload, which `call` need not have.
    ...wholeOf(call.id, utf8Text(text), call.deleted_at),
    known: stored,
    put,
  }));
}

/** The number of calls that each put changed. */
function countsOf(changes: readonly { readonly put: Put }[]): ReadonlyMap<Put, number> {
  const counts = new Map<Put, number>();
  for (const { put } of changes) counts.set(put, (counts.get(put) ?? 0) + 1);
  return counts;
}

function callLine(project: string, version: number, change: CallChange): string {
  const { call, text } = change;
  const { id, parent_id, trace_id, started_at, deleted_at } = call;
  const columns = {
    project: quoted(project),
    id: quoted(id),
    version: String(version),
    parent: parent_id === null ? "null" : quoted(parent_id),
    left_parents: `[${formerParents(change).map(quoted).join(",")}]`,
    trace: trace_id === null ? "null" : quoted(trace_id),
    started: startedText(microseconds(started_at)),
    trial: isPredictAndScore(call) ? "1" : "0",
    deleted_at: deleted_at === null ? "null" : quoted(deleted_at),
    hash: quoted(hashOf(text)),
    rules: String(RULES),
    text: quoted(text),
  };
  return `{${Object.entries(columns)
    .map(([name, json]) => `"${name}":${json}`)
    .join(",")}}`;
}

/** Marks a call as a child of its parent, and no longer of its former ones. */
function childLines(project: string, version: number, change: CallChange): readonly string[] {
  const { id, parent_id } = change.call;
  const line = (parent: string, gone: 0 | 1): string =>
    `{"project":${quoted(project)},"parent":${quoted(parent)},"id":${quoted(id)},"version":${version},"gone":${gone}}`;
  return [
    ...(parent_id === null ? [] : [line(parent_id, 0)]),
    ...formerParents(change).map((parent) => line(parent, 1)),
  ];
}
