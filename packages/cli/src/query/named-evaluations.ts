// Determines which evaluations to compare: the named ones, by ID or display name, or the latest.

import type { CountedEvaluation } from "@assay/eval-engine";
import { byStart, REQUEST_LIMITS } from "@assay/eval-engine/internal";
import {
  cutText,
  type DefaultPair,
  defaultPair,
  isPairOrdered,
  pairSentence,
} from "@assay/eval-engine/words";
import type { DataAccess } from "@assay/server/internal";
import { EXIT, Failure } from "../terminal/failure.ts";
import { failOnMissing, missingEvaluations, missingProject } from "./check-names.ts";

/**
 * The IDs of evaluations, each named by its ID or name. Fails for all ambiguous names, and for unknown ones unless
 * they may be missing; such a name is then taken as an ID.
 */
export async function namedEvaluations(
  data: DataAccess,
  project: string,
  names: readonly string[],
  allowMissing = false,
): Promise<readonly string[]> {
  const listed = await evaluationsNamed(data, project, names);
  const found = names.map((name) => foundBy(listed, name));
  const unknown = names.filter((_, i) => found[i]!.length === 0);
  failOnMissing([
    ...(allowMissing ? [] : await missingEvaluations(data, project, unknown)),
    ...found.flatMap((alike, i) => (alike.length > 1 ? [ambiguous(names[i]!, alike)] : [])),
  ]);
  // Evaluations without trials are not listed.
  const ids = names.map((name, i) => found[i]![0]?.id ?? name);
  const twice = names.find((_, i) => ids.indexOf(ids[i]!) !== i);
  if (twice !== undefined)
    throw new Failure(EXIT.usage, `${JSON.stringify(twice)} is named twice: name different evaluations`);
  return ids;
}

// The most names per request: they must fit into its header.
const TOGETHER = 32;

/** The evaluations with one of these IDs or names, by start. */
export async function evaluationsNamed(
  data: DataAccess,
  project: string,
  names: readonly string[],
): Promise<readonly CountedEvaluation[]> {
  const found: CountedEvaluation[] = [];
  for (let i = 0; i < names.length; i += TOGETHER)
    found.push(...(await data.evaluations(project, { named: names.slice(i, i + TOGETHER) })));
  return byStart(found);
}

function foundBy(listed: readonly CountedEvaluation[], name: string): readonly CountedEvaluation[] {
  const byId = listed.filter(({ id }) => id === name);
  return byId.length > 0 ? byId : listed.filter((one) => one.name === name);
}

function ambiguous(name: string, alike: readonly CountedEvaluation[]): string {
  const shown = alike
    .slice(-5)
    .map(
      ({ id, model, started_at }) =>
        `${id} (${[model, started_at ?? "not started"].filter(Boolean).join(", ")})`,
    );
  const earlier = alike.length > 5 ? ", and earlier ones" : "";
  return `${JSON.stringify(name)} is the name of ${alike.length} evaluations; use an id: ${shown.reverse().join(", ")}${earlier}`;
}

/** Evaluations chosen by default. */
export interface ChosenEvaluations {
  readonly ids: readonly string[];
  /** How they were chosen, and how to choose others, as a sentence; undefined if there was no choice. */
  readonly notes: readonly string[];
}

/**
 * The newest evaluation and the latest earlier one that shares rows with it. Fails for a gate if it is not known which
 * came first.
 */
export async function latestPair(
  data: DataAccess,
  project: string,
  { isGate = false }: { readonly isGate?: boolean } = {},
): Promise<ChosenEvaluations> {
  const pair = await pairOf(data, project);
  const { baseline, candidate } = pair;
  if (candidate === undefined) failOnMissing([await missingProject(data, project)]);
  if (baseline !== undefined) {
    const sentence = pairSentence(pair);
    if (isGate && !isPairOrdered(pair)) throw new Failure(EXIT.usage, `--fail-on: ${sentence}`);
    return { ids: [baseline.id, candidate!.id], notes: sentence === undefined ? [] : [sentence] };
  }
  throw new Failure(
    EXIT.usage,
    `no earlier evaluation shares rows with ${calledBy(candidate!)}; name a baseline and a candidate`,
  );
}

/** The default pair. */
export async function pairOf(data: DataAccess, project: string): Promise<DefaultPair> {
  return defaultPair(await data.evaluations(project), (ids) => sharesRows(data, project, ids));
}

/** All evaluations on the dataset of the newest one, as many as one request may have, oldest first. */
export async function latestOnOneDataset(data: DataAccess, project: string): Promise<ChosenEvaluations> {
  const [newest, ...before] = await newestFirst(data, project);
  const ids = [newest!.id];
  for (const { id } of before) {
    if (ids.length === REQUEST_LIMITS.evaluations) break;
    if (await sharesRows(data, project, [id, newest!.id])) ids.push(id);
  }
  if (ids.length > 1) {
    const all = before.length + 1;
    const among = `${ids.length} of ${all} evaluations are ranked: those that share rows with ${cutText(newest!.name ?? newest!.id)}, the newest; name evaluations to rank others`;
    return { ids: ids.reverse(), notes: ids.length < all ? [among] : [] };
  }
  throw new Failure(
    EXIT.usage,
    `no earlier evaluation shares rows with ${calledBy(newest!)}, so there is nothing to rank`,
  );
}

async function newestFirst(data: DataAccess, project: string): Promise<readonly CountedEvaluation[]> {
  const listed = (await data.evaluations(project)).filter(({ rows }) => rows > 0);
  if (listed.length === 0) failOnMissing([await missingProject(data, project)]);
  return listed.toReversed();
}

/** A sentence for each evaluation that shares no row with the first one, so that they cannot be compared. */
export async function withoutCommonRows(
  data: DataAccess,
  project: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const [first, ...others] = ids;
  if (first === undefined || others.length === 0 || (await sharesRows(data, project, ids))) return [];
  const apart: string[] = [];
  for (const id of others) if (!(await sharesRows(data, project, [first, id]))) apart.push(id);
  if (apart.length === 0) return [];
  const listed = await evaluationsNamed(data, project, [first, ...apart]);
  const called = (id: string): string | undefined => {
    const found = listed.find((one) => one.id === id);
    // An evaluation without trials has not started yet.
    return found === undefined || found.rows === 0 ? undefined : (found.name ?? id);
  };
  return apart.flatMap((id) =>
    called(first) === undefined || called(id) === undefined
      ? []
      : `${called(id)!} shares no rows with ${called(first)!}; match rows of different runs with assay import --row-key FIELD`,
  );
}

async function sharesRows(data: DataAccess, project: string, ids: readonly string[]): Promise<boolean> {
  const body = { evaluation_call_ids: ids, require_intersection: true, include_rows: false };
  const shared = await data.query(project, body);
  return shared.ok && shared.value.total_rows > 0;
}

function calledBy({ id, name }: CountedEvaluation): string {
  return name === null ? id : `${name} (${id})`;
}
