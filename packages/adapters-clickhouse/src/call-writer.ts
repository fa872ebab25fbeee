// Writes calls, one batch after another: what waits meanwhile is written together.

import { Fault, serialQueue } from "@assay/base";
import {
  type Call,
  type CallText,
  type CallWriter,
  isPredictAndScore,
  type JoinCalls,
  microseconds,
} from "@assay/calls";
import { callOf, hashOf, textOf } from "./call-text.ts";
import type { ClickHouse } from "./clickhouse.ts";
import type { Versions } from "./clock.ts";
import { quoted } from "./nodes.ts";
import { openWrites } from "./open-writes.ts";
import type { Tables } from "./schema.ts";
import { startedText } from "./shred.ts";
import { Parameters } from "./sql/statement.ts";
import { type Change, type Known, parentsLeft, trialWriter } from "./trial-writer.ts";

// Each look but the first means that another process has written in between.
const MOST_LOOKS = 20;

// Calls that are written together at most, unless one put has more.
const GROUP = 8192;

/**
 * The rules by which calls are read into trials, counted: another number makes `migrate` read all calls again, with a
 * step of the schema that says so.
 */
export const RULES = 1;

interface Put {
  readonly project: string;
  readonly calls: readonly CallText[];
  readonly join: JoinCalls | undefined;
  readonly resolve: (changed: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The writer of the calls of a database. Calls of several projects are put one project after another. Throws a
 * `conflict` fault when too many other processes join the same calls at once. `rewrite` writes calls again as they are,
 * and the trials that they are part of, as today's rules read them.
 */
export function callWriter(
  clickhouse: ClickHouse,
  tables: Tables,
  versions: Versions,
): CallWriter & { readonly rewrite: (project: string, ids: readonly string[]) => Promise<void> } {
  const trials = trialWriter(clickhouse, tables);
  const writes = openWrites(clickhouse, tables);
  // One write after another: two of this process to the same call must not both replace what they found.
  const inTurn = serialQueue();

  const knownOf = async (
    project: string,
    ids: readonly string[],
    withText: boolean,
  ): Promise<ReadonlyMap<string, Known>> => {
    const parameters = new Parameters();
    const where = `project = ${parameters.text(project)} AND id IN ${parameters.texts(ids)}`;
    const text = withText ? "text" : "NULL";
    const sql = `SELECT id, toString(version), parent, left_parents, trial, deleted_at, hash, ${text} FROM ${tables.calls} FINAL WHERE ${where}`;
    const rows = await clickhouse.query(parameters.statement(sql));
    // Asked afterwards: a write that ends in between is done with these calls too.
    const open = rows.length === 0 ? new Set<number>() : await writes.versions(project);
    return new Map(
      rows.map((row) => {
        const known = knownOfRow(row, open);
        return [known.id, known];
      }),
    );
  };

  const write = (project: string, changes: readonly Change[]): Promise<void> => {
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
      return { what: "calls", moved: changes.some((change) => parentsLeft(change).length > 0) };
    });
  };

  const queue: Put[] = [];

  /** Writes the put that came first, with those that wait and can be written with it. */
  const writeNext = async (): Promise<void> => {
    const group = nextGroup(queue);
    if (group === undefined) return;
    const { project, join } = group[0];
    try {
      const calls = group.flatMap((put) => put.calls);
      const ids = [...new Set(calls.map(({ call }) => call.id))];
      let changed: ReadonlySet<string> | undefined;
      // A joined call is looked at again once it is written: another process may have written what it joined at the same
      // time, and one of the two is then not in. Whoever looks last sees both, and joins them.
      for (let look = 0; ; look++) {
        if (look === MOST_LOOKS) throw new Fault("conflict", "too many others write the same calls at once");
        const known = await knownOf(project, ids, join !== undefined);
        // Later looks would otherwise meet each other's writes for ever.
        const changes = changesOf(calls, known, join, look === 0);
        if (changes.length > 0) await write(project, changes);
        changed ??= new Set(changes.map(({ call }) => call.id));
        if (join === undefined || changes.length === 0) break;
      }
      const counted = new Set<string>();
      // A call that several puts have changed counts for the last of them.
      for (const put of group.toReversed()) put.resolve(countNew(put.calls, changed, counted));
    } catch (error) {
      for (const put of group) put.reject(error);
    }
  };

  const put: CallWriter["put"] = (project, calls, join) => {
    if (calls.length === 0) return Promise.resolve(0);
    const done = new Promise<number>((resolve, reject) => {
      queue.push({ project, calls, join, resolve, reject });
    });
    // It may be written in an earlier turn, with others: this one then has nothing to do.
    inTurn(writeNext).catch(() => undefined);
    return done;
  };

  return {
    put,

    rewrite: (project, ids) =>
      inTurn(async () => {
        const known = await knownOf(project, ids, true);
        const changes = [...known].map(
          ([id, before]): Change => ({ ...wholeOf(id, before.text!, before.deletedAt), known: before }),
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
        const changes = [...known].flatMap(([id, before]): Change[] => {
          if (before.deletedAt !== null && !before.open) return [];
          const { call } = wholeOf(id, before.text!, before.deletedAt ?? at);
          return [{ call, text: before.text!, known: before }];
        });
        if (changes.length > 0) await write(project, changes);
        return changes.length;
      }),
  };
}

function knownOfRow(row: readonly unknown[], open: ReadonlySet<number>): Known & { readonly id: string } {
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
    // Of what was there before an open write nothing is known: it may have been one.
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

/** What the calls make of what is there, without those that change nothing; `withOpen`: unless their write is open. */
function changesOf(
  calls: readonly CallText[],
  known: ReadonlyMap<string, Known>,
  join: JoinCalls | undefined,
  withOpen: boolean,
): Change[] {
  const items = new Map<string, CallText>();
  for (const piece of calls) {
    const { id } = piece.call;
    const before = known.get(id);
    const current =
      items.get(id) ??
      (join === undefined || before === undefined ? undefined : wholeOf(id, before.text!, before.deletedAt));
    const joins = current !== undefined && join !== undefined;
    items.set(id, joins ? join({ ...current, text: textOf(current.text) }, piece) : piece);
  }
  return [...items.values()].flatMap((item): Change[] => {
    const text = textOf(item.text);
    const before = known.get(item.call.id);
    const same = before?.hash === hashOf(text) && before.deletedAt === item.call.deleted_at;
    if (same && !(before.open && withOpen)) return [];
    // The text holds the payload, which `call` need not.
    return [{ ...wholeOf(item.call.id, text, item.call.deleted_at), known: before }];
  });
}

function callLine(project: string, version: number, change: Change): string {
  const { call, text } = change;
  const { id, parent_id, trace_id, started_at, deleted_at } = call;
  const columns = {
    project: quoted(project),
    id: quoted(id),
    version: String(version),
    parent: parent_id === null ? "null" : quoted(parent_id),
    left_parents: `[${parentsLeft(change).map(quoted).join(",")}]`,
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

/** That a call is a child of its parent, and no longer one of those that it has left. */
function childLines(project: string, version: number, change: Change): readonly string[] {
  const { id, parent_id } = change.call;
  const line = (parent: string, gone: 0 | 1): string =>
    `{"project":${quoted(project)},"parent":${quoted(parent)},"id":${quoted(id)},"version":${version},"gone":${gone}}`;
  return [
    ...(parent_id === null ? [] : [line(parent_id, 0)]),
    ...parentsLeft(change).map((parent) => line(parent, 1)),
  ];
}

/** Takes the first put, and those after it of the same project that are joined in the same way. */
function nextGroup(queue: Put[]): readonly [Put, ...Put[]] | undefined {
  const first = queue.shift();
  if (first === undefined) return undefined;
  const group: [Put, ...Put[]] = [first];
  let size = first.calls.length;
  for (let next = queue[0]; next !== undefined; next = queue[0]) {
    size += next.calls.length;
    if (next.project !== first.project || next.join !== first.join || size > GROUP) break;
    group.push(next);
    queue.shift();
  }
  return group;
}

function countNew(calls: readonly CallText[], changed: ReadonlySet<string>, counted: Set<string>): number {
  const own = new Set(calls.map(({ call }) => call.id).filter((id) => changed.has(id) && !counted.has(id)));
  for (const id of own) counted.add(id);
  return own.size;
}
