// Writes calls, and with each what became of the trials that it is part of. Nothing is ever repaired: a call is written
// before the trial is read from all of its calls, so that of several writers the last one to read has seen every write;
// and a trial's version is the sum of its calls' versions, so that this one's row is the one that stays.

import { Fault } from "@assay/base";
import type { Call } from "@assay/eval-engine";
import { isPredictAndScore, microseconds, readTrial } from "@assay/eval-engine";
import { type CallText, callOf, hashOf, type JoinCalls, textOf } from "./call-text.ts";
import { type ChildEntry, callReader } from "./calls.ts";
import type { ClickHouse } from "./clickhouse.ts";
import type { Versions } from "./clock.ts";
import { quoted } from "./nodes.ts";
import type { Tables } from "./schema.ts";
import { removalLines, startedText, type TrialPlace, trialLines } from "./shred.ts";
import { Parameters } from "./sql/statement.ts";

/** Calls of one project. */
export interface ProjectCalls {
  /** The project, `<entity>/<project>`. */
  readonly project: string;
  /** The calls. */
  readonly calls: readonly CallText[];
}

/** Writes calls. */
export interface CallWriter {
  /**
   * Puts calls: one with an id that is there replaces it (or joins it, when `join` is given); one with the very text
   * that is there changes nothing. There for every query when the promise resolves: the number of calls that changed.
   */
  put(project: string, calls: readonly CallText[], join?: JoinCalls): Promise<number>;

  /** The same for calls of several projects, one project after another. */
  putTogether(calls: readonly ProjectCalls[], join?: JoinCalls): Promise<number>;

  /** Marks calls as deleted, at an ISO 8601 time. Ids that are not there are ignored. The number deleted. */
  delete(project: string, ids: readonly string[], at: string): Promise<number>;
}

// Each look but the first means that another process has written in between.
const MOST_LOOKS = 20;

/** What is there of a call. */
interface Known {
  readonly version: number;
  readonly parent: string | null;
  readonly trial: boolean;
  readonly deletedAt: string | null;
  readonly hash: string;
  /** Undefined when it was not read. */
  readonly text: string | undefined;
}

interface Change {
  readonly call: Call;
  readonly text: string;
  readonly known: Known | undefined;
}

/** The writer of the calls of a database. */
export function callWriter(clickhouse: ClickHouse, tables: Tables, versions: Versions): CallWriter {
  const reader = callReader(clickhouse, tables);
  // One write after another: two of this process to the same call must not both replace what they found.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(write: () => Promise<T>): Promise<T> => {
    const done = turn.then(write);
    turn = done.catch(() => undefined);
    return done;
  };

  const knownOf = async (
    project: string,
    ids: readonly string[],
    withText: boolean,
  ): Promise<ReadonlyMap<string, Known>> => {
    const parameters = new Parameters();
    const where = `project = ${parameters.text(project)} AND id IN ${parameters.texts(ids)}`;
    const text = withText ? "text" : "NULL";
    const sql = `SELECT id, toString(version), parent, trial, deleted_at, hash, ${text} FROM ${tables.calls} FINAL WHERE ${where}`;
    const known = new Map<string, Known>();
    for (const row of await clickhouse.query(parameters.statement(sql))) {
      const [id, version, parent, trial, deletedAt, hash, text] = row as [
        string,
        string,
        string | null,
        number,
        string | null,
        string,
        string | null,
      ];
      known.set(id, {
        version: Number(version),
        parent,
        trial: trial === 1,
        deletedAt,
        hash,
        text: text ?? undefined,
      });
    }
    return known;
  };

  const write = async (project: string, changes: readonly Change[]): Promise<void> => {
    const version = versions(Math.max(0, ...changes.map(({ known }) => known?.version ?? 0)));
    await clickhouse.insert(
      tables.calls,
      changes.map((change) => callLine(project, version, change)),
    );
    const children = changes.flatMap((change) => childLines(project, version, change));
    await clickhouse.insert(
      tables.children,
      children.map(({ line }) => line),
    );
    await writeTrials(project, version, changes);
    const moved = children.some(({ gone }) => gone) ? version : 0;
    await clickhouse.insert(tables.projects, [
      `{"project":${quoted(project)},"call_writes":1,"row_writes":0,"version":${version},"moved":${moved}}`,
    ]);
  };

  /** Writes the trials that the changed calls are, were, or are children of. */
  const writeTrials = async (project: string, version: number, changes: readonly Change[]): Promise<void> => {
    const calls = new Map(changes.map(({ call }) => [call.id, call]));
    const versionOf = new Map(changes.map(({ call }) => [call.id, version]));
    const parents = new Set(changes.flatMap(({ call, known }) => [call.parent_id, known?.parent ?? null]));
    const unknown = [...parents].filter((id): id is string => id !== null && !calls.has(id));
    const trials = await knownTrials(project, unknown);
    for (const [id, known] of trials) versionOf.set(id, known);
    for (const call of (await reader.read(project, [...trials.keys()])).values()) calls.set(call.id, call);
    const affected = [...calls.values()].filter(isPredictAndScore);
    // A call that was a trial elsewhere, or is none any more.
    const left = changes.flatMap(({ call, known }) =>
      known?.trial === true &&
      known.parent !== null &&
      (known.parent !== call.parent_id || !isPredictAndScore(call))
        ? [{ id: call.id, evaluation: known.parent }]
        : [],
    );
    if (affected.length === 0 && left.length === 0) return;

    const ids = new Set([...affected.map(({ id }) => id), ...left.map(({ id }) => id)]);
    const entries = await reader.children(project, [...ids]);
    const missing = entries.filter(({ gone, id }) => !gone && !calls.has(id)).map(({ id }) => id);
    for (const call of (await reader.read(project, missing)).values()) calls.set(call.id, call);
    const families = familiesOf(entries);
    const placeOf = (evaluation: string, id: string): TrialPlace => {
      const family = families.get(id) ?? [];
      const sum = family.reduce((sum, entry) => sum + entry.version, BigInt(versionOf.get(id) ?? version));
      return { project, evaluation, id, version: sum };
    };
    const lines = [
      ...left.map(({ evaluation, id }) => removalLines(placeOf(evaluation, id))),
      ...affected.flatMap((call) => {
        if (call.parent_id === null) return [];
        const place = placeOf(call.parent_id, call.id);
        const children = (families.get(call.id) ?? []).flatMap(({ id, gone }) => {
          const child = gone ? undefined : calls.get(id);
          return child?.parent_id === call.id ? [child] : [];
        });
        const trial = readTrial({ call, children });
        return [trial === undefined ? removalLines(place) : trialLines(place, trial)];
      }),
    ];
    await clickhouse.insert(
      tables.payloads,
      lines.map(({ payload }) => payload),
    );
    await clickhouse.insert(
      tables.trials,
      lines.map(({ trial }) => trial),
    );
  };

  /** Which of these calls are trials, with their versions. */
  const knownTrials = async (project: string, ids: readonly string[]): Promise<Map<string, number>> => {
    if (ids.length === 0) return new Map();
    const parameters = new Parameters();
    const where = `project = ${parameters.text(project)} AND id IN ${parameters.texts(ids)} AND trial = 1`;
    const sql = `SELECT id, toString(version) FROM ${tables.calls} FINAL WHERE ${where}`;
    const rows = await clickhouse.query(parameters.statement(sql));
    return new Map(rows.map(([id, version]) => [id as string, Number(version)]));
  };

  const put: CallWriter["put"] = (project, calls, join) =>
    inTurn(async () => {
      if (calls.length === 0) return 0;
      const ids = [...new Set(calls.map(({ call }) => call.id))];
      let changed = 0;
      // A joined call is looked at again once it is written: another process may have written what it joined at the same
      // time, and one of the two is then not in. Whoever looks last sees both, and joins them.
      for (let look = 0; look < MOST_LOOKS; look++) {
        const known = await knownOf(project, ids, join !== undefined);
        const changes = changesOf(calls, known, join);
        if (changes.length > 0) await write(project, changes);
        if (look === 0) changed = changes.length;
        if (join === undefined || changes.length === 0) return changed;
      }
      throw new Fault("conflict", "too many others write the same calls at once");
    });

  return {
    put,

    async putTogether(parts, join) {
      let changed = 0;
      for (const { project, calls } of parts) changed += await put(project, calls, join);
      return changed;
    },

    delete: (project, ids, at) =>
      inTurn(async () => {
        const known = await knownOf(project, [...new Set(ids)], true);
        const changes = [...known].flatMap(([id, before]): Change[] => {
          if (before.deletedAt !== null) return [];
          const { call } = wholeOf(id, before.text!, at);
          return [{ call, text: before.text!, known: before }];
        });
        if (changes.length > 0) await write(project, changes);
        return changes.length;
      }),
  };
}

function wholeOf(
  id: string,
  text: string,
  deletedAt: string | null,
): { readonly call: Call; readonly text: string } {
  return { call: callOf(id, text, deletedAt), text };
}

/** What the calls make of what is there, without those that change nothing. */
function changesOf(
  calls: readonly CallText[],
  known: ReadonlyMap<string, Known>,
  join: JoinCalls | undefined,
): Change[] {
  const items = new Map<string, CallText>();
  for (const piece of calls) {
    const { id } = piece.call;
    const before = known.get(id);
    const current =
      items.get(id) ??
      (join === undefined || before === undefined ? undefined : wholeOf(id, before.text!, before.deletedAt));
    items.set(id, current === undefined || join === undefined ? piece : join(current, piece));
  }
  return [...items.values()].flatMap((item): Change[] => {
    const text = textOf(item.text);
    const before = known.get(item.call.id);
    if (before?.hash === hashOf(text) && before.deletedAt === item.call.deleted_at) return [];
    // The text holds the payload, which `call` need not.
    return [{ ...wholeOf(item.call.id, text, item.call.deleted_at), known: before }];
  });
}

function callLine(project: string, version: number, { call, text }: Change): string {
  const { id, parent_id, trace_id, started_at, deleted_at } = call;
  const columns = {
    project: quoted(project),
    id: quoted(id),
    version: String(version),
    parent: parent_id === null ? "null" : quoted(parent_id),
    trace: trace_id === null ? "null" : quoted(trace_id),
    started: startedText(microseconds(started_at)),
    trial: isPredictAndScore(call) ? "1" : "0",
    deleted_at: deleted_at === null ? "null" : quoted(deleted_at),
    hash: quoted(hashOf(text)),
    text: quoted(text),
  };
  return `{${Object.entries(columns)
    .map(([name, json]) => `"${name}":${json}`)
    .join(",")}}`;
}

interface ChildLine {
  readonly line: string;
  readonly gone: boolean;
}

/** That a call is a child of its parent, and no longer one of an earlier parent. */
function childLines(project: string, version: number, { call, known }: Change): readonly ChildLine[] {
  const line = (parent: string, gone: boolean): ChildLine => ({
    line: `{"project":${quoted(project)},"parent":${quoted(parent)},"id":${quoted(call.id)},"version":${version},"gone":${gone ? 1 : 0}}`,
    gone,
  });
  const before = known?.parent ?? null;
  return [
    ...(call.parent_id === null ? [] : [line(call.parent_id, false)]),
    ...(before === null || before === call.parent_id ? [] : [line(before, true)]),
  ];
}

function familiesOf(entries: readonly ChildEntry[]): ReadonlyMap<string, readonly ChildEntry[]> {
  const families = new Map<string, ChildEntry[]>();
  for (const entry of entries) {
    const family = families.get(entry.parent);
    if (family === undefined) families.set(entry.parent, [entry]);
    else family.push(entry);
  }
  return families;
}
