// Writes the trials that changed calls are part of. No repair is ever needed: calls are written before their trial is
// read, so the last of several writers sees all writes. A trial's version is the sum of its calls' versions, so that
// writer's row wins.

import { type Call, isPredictAndScore } from "@assay/calls";
import { readTrial } from "@assay/eval-engine/internal";
import { removalLines, type TrialKey, type TrialLines, trialLines } from "../columns/trial-rows.ts";
import type { ClickHouse, ResultRows } from "../connection/clickhouse.ts";
import type { Tables } from "../connection/schema.ts";
import { Parameters } from "../sql/statement.ts";
import { type ChildEntry, callReader } from "./calls.ts";

/** The stored state of a call. */
export interface StoredState {
  readonly version: number;
  /** Whether its write is not known to have ended. */
  readonly open: boolean;
  /** Its parent; if its write is open, also the parents that the write removes it from. */
  readonly parents: readonly string[];
  /** Whether it was a trial, or may have been. */
  readonly trial: boolean;
  readonly deletedAt: string | null;
  readonly hash: string;
  /** Undefined if it was not read. */
  readonly text: string | undefined;
}

/** A call to write, with its previously stored state. */
export interface CallChange {
  readonly call: Call;
  readonly text: string;
  readonly known: StoredState | undefined;
}

/** The parents that a change removes a call from. */
export function formerParents({ call, known }: CallChange): readonly string[] {
  return (known?.parents ?? []).filter((parent) => parent !== call.parent_id);
}

// The number of trials checked at once.
const LOOKED_AT = 1000;

/** Writes trials, once the calls are written. */
export type TrialWriter = (project: string, version: number, changes: readonly CallChange[]) => Promise<void>;

/** The writer of the trials of a database. */
export function trialWriter(clickhouse: ClickHouse, tables: Tables): TrialWriter {
  const reader = callReader(clickhouse, tables);

  /** Writes the trials that the changed calls are, were, or are children of. */
  const writeTrials = async (
    project: string,
    version: number,
    changes: readonly CallChange[],
  ): Promise<void> => {
    const calls = new Map(changes.map(({ call }) => [call.id, call]));
    const versionOf = new Map(changes.map(({ call }) => [call.id, version]));
    const parents = new Set(
      changes.flatMap(({ call, known }) => [call.parent_id, ...(known?.parents ?? [])]),
    );
    const unknown = [...parents].filter((id): id is string => id !== null && !calls.has(id));
    const trials = await knownTrials(project, unknown);
    for (const [id, known] of trials) versionOf.set(id, known);
    for (const call of (await reader.read(project, [...trials.keys()])).values()) calls.set(call.id, call);
    const affected = [...calls.values()].filter(isPredictAndScore);
    // A call that was a trial elsewhere, or is no longer one.
    const left = changes.flatMap((change) => {
      const { call, known } = change;
      if (known?.trial !== true) return [];
      const evaluations = isPredictAndScore(call) ? formerParents(change) : known.parents;
      return evaluations.map((evaluation) => ({ id: call.id, evaluation }));
    });
    if (affected.length === 0 && left.length === 0) return;

    const ids = new Set([...affected.map(({ id }) => id), ...left.map(({ id }) => id)]);
    const entries = await reader.children(project, [...ids]);
    const missing = entries.filter(({ gone, id }) => !gone && !calls.has(id)).map(({ id }) => id);
    for (const call of (await reader.read(project, missing)).values()) calls.set(call.id, call);
    const families = familiesOf(entries);
    const placeOf = (evaluation: string, id: string): TrialKey => {
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
    if (tables.cluster !== undefined) await leaveShards(project, affected, left);
  };

  /**
   * Removes trials from the shards of rows that they no longer belong to. Each writer checks all shards afterwards: of
   * several, the last one sees everything that the others have written.
   */
  const leaveShards = async (
    project: string,
    affected: readonly Call[],
    left: readonly { readonly id: string; readonly evaluation: string }[],
  ): Promise<void> => {
    const ids = [...affected, ...left].map(({ id }) => id);
    const evaluations = [
      ...affected.map((call) => call.parent_id ?? ""),
      ...left.map((one) => one.evaluation),
    ];
    const stale: TrialLines[] = [];
    for (let at = 0; at < ids.length; at += LOOKED_AT) {
      const parameters = new Parameters();
      const within = (values: readonly string[]) =>
        parameters.texts([...new Set(values.slice(at, at + LOOKED_AT))]);
      const where = `project = ${parameters.text(project)} AND evaluation IN ${within(evaluations)} AND id IN ${within(ids)}`;
      const sql = `SELECT evaluation, id, digest, toString(max(version)), argMax(deleted, version) FROM ${tables.trials} WHERE ${where} GROUP BY evaluation, id, digest`;
      stale.push(...staleLines(project, await clickhouse.query(parameters.statement(sql))));
    }
    await clickhouse.insert(
      tables.trials,
      stale.map(({ trial }) => trial),
    );
  };

  /** The versions of those of these calls that are trials. */
  const knownTrials = async (project: string, ids: readonly string[]): Promise<Map<string, number>> => {
    if (ids.length === 0) return new Map();
    const parameters = new Parameters();
    const where = `project = ${parameters.text(project)} AND id IN ${parameters.texts(ids)} AND trial = 1`;
    const sql = `SELECT id, toString(version) FROM ${tables.calls} FINAL WHERE ${where}`;
    const rows = await clickhouse.query(parameters.statement(sql));
    return new Map(rows.map(([id, version]) => [id as string, Number(version)]));
  };

  return writeTrials;
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

/**
 * Deletes outdated rows of trials: those on shards of another digest than that of the trial's highest version. Each
 * deletion has the version that it deletes, and wins because it is written later; where both digests are on one shard,
 * the highest version stays.
 */
function staleLines(project: string, rows: ResultRows): readonly TrialLines[] {
  const found = rows.map((row) => {
    const [evaluation, id, digest, version, deleted] = row as [string, string, string, string, number];
    return { evaluation, id, digest, version: BigInt(version), live: deleted === 0 };
  });
  const highest = new Map<string, bigint>();
  const nameOf = ({ evaluation, id }: { readonly evaluation: string; readonly id: string }): string =>
    JSON.stringify([evaluation, id]);
  for (const one of found) {
    const known = highest.get(nameOf(one));
    if (known === undefined || one.version > known) highest.set(nameOf(one), one.version);
  }
  return found.flatMap((one) =>
    one.live && one.version < highest.get(nameOf(one))!
      ? [removalLines({ project, ...one }, one.digest)]
      : [],
  );
}
