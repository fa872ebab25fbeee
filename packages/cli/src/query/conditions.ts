// Conditions of a question on the command line, each on all of its evaluations or on one: `gpt-a: scores.correct`.

import type { EvalResultsFilter, EvalResultsQueryBody, EvalResultsScorerStats } from "@assay/eval-engine";
import { fieldFault } from "@assay/eval-engine/internal";
import { didYouMean, nearest, scoreField } from "@assay/eval-engine/words";
import type { DataAccess } from "@assay/server/internal";
import { EXIT, Failure } from "../terminal/failure.ts";
import { failOnMissing, unknownFieldIssues } from "./check-names.ts";
import { statsOf } from "./default-query.ts";
import { evaluationsNamed } from "./named-evaluations.ts";
import { fieldsOfWhere, readWhere, whereExpression, withScores } from "./where-expression.ts";

/** A condition as it was written, without the name before it. */
export interface Condition {
  readonly text: string;
  /** The name of the evaluation that it applies to; undefined for all. */
  readonly about: string | undefined;
  readonly $expr: unknown;
}

/** How many colons of a text may end a name. */
const MOST_COLONS = 8;

/**
 * Reads a condition. The name before it may be one of `names`, or, if evaluations are chosen by default, any text
 * before a colon that leaves a condition. Fails with a caret below an error.
 */
export function readCondition(given: string, names: readonly string[]): Condition {
  const ends = [...given.matchAll(/:/g)].slice(0, MOST_COLONS);
  const before = ends.map(({ index }) => given.slice(0, index)).filter((name) => !/["'{[]/.test(name));
  const about =
    names.filter((name) => given.startsWith(`${name}:`)).sort((a, b) => b.length - a.length)[0] ??
    (readWhere(given).ok ? undefined : before.find((name) => readWhere(afterName(given, name)).ok));
  const text = about === undefined ? given : afterName(given, about);
  return { text, about, $expr: whereExpression(text) };
}

function afterName(given: string, name: string): string {
  return given.slice(name.length + 1).trim();
}

/**
 * The conditions with every score that is given only by its name replaced by its field. Fails for a name that is
 * neither. `stats` are the statistics of the evaluations' scores; they are queried if absent and needed.
 */
export async function withFields<Given extends Pick<Condition, "text" | "$expr">>(
  data: DataAccess,
  project: string,
  {
    evaluations,
    conditions,
  }: { readonly evaluations: readonly string[]; readonly conditions: readonly Given[] },
  stats?: readonly EvalResultsScorerStats[],
): Promise<readonly Given[]> {
  const fieldsIn = (of: readonly Given[]) => of.flatMap(({ $expr }) => fieldsOfWhere($expr));
  if (fieldsIn(conditions).every((path) => fieldFault(path) === undefined)) return conditions;
  const scores = new Set((stats ?? (await statsOf(data, project, evaluations))).map(scoreField));
  const named = conditions.map((one) => ({ ...one, $expr: withScores(one.$expr, [...scores]) }));
  failOnMissing(
    await unknownFieldIssues(data, project, { evaluations, fields: fieldsIn(named) }),
    conditions.map(({ text }) => text),
  );
  return named;
}

/** The IDs of a question's evaluations, by what they may be called. */
export type NamedIds = ReadonlyMap<string, readonly string[]>;

/**
 * The names by which evaluations can be referred to: their IDs, the `given` names, and their own names if one of the
 * `wanted` is neither.
 */
export async function namedIds(
  data: DataAccess,
  project: string,
  ids: readonly string[],
  { given, wanted }: { readonly given: readonly string[]; readonly wanted: readonly (string | undefined)[] },
): Promise<NamedIds> {
  const called = new Map<string, readonly string[]>(ids.map((id) => [id, [id]]));
  for (const [i, name] of given.entries()) called.set(name, [ids[i]!]);
  if (wanted.every((name) => name === undefined || called.has(name))) return called;
  const own = new Map<string, readonly string[]>();
  for (const { id, name } of await evaluationsNamed(data, project, ids))
    if (name !== null && ids.includes(id)) own.set(name, [...(own.get(name) ?? []), id]);
  return new Map([...own, ...called]);
}

/** The ID of the evaluation that an option's text names. */
export function evaluationIdOf(option: string, name: string, named: NamedIds): string {
  const [id, second] = named.get(name) ?? [];
  const called = JSON.stringify(name);
  if (second !== undefined)
    throw new Failure(
      EXIT.usage,
      `${option}: ${called} is the name of several of these evaluations; use an id`,
    );
  if (id !== undefined) return id;
  const suggestions = nearest(name, named.keys());
  const hint = suggestions.length > 0 ? didYouMean(suggestions) : `: ${[...named.keys()].join(", ")}`;
  throw new Failure(EXIT.usage, `${option}: ${called} is not one of the evaluations of this query${hint}`);
}

/** The filters of a query for these conditions. */
export function filtersOf(
  conditions: readonly Condition[],
  named: NamedIds,
): Pick<EvalResultsQueryBody, "filters" | "filter_logic_operator"> {
  const filters = conditions.map(
    ({ about, $expr }): EvalResultsFilter => ({
      ...(about !== undefined && { evaluation_call_id: evaluationIdOf("--where", about, named) }),
      query: { $expr },
    }),
  );
  return {
    ...(filters.length > 0 && { filters }),
    // A condition on one evaluation must be met there; a condition on all, in each evaluation that has the row.
    ...(conditions.some(({ about }) => about !== undefined) && { filter_logic_operator: "and" as const }),
  };
}
