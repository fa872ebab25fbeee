// The fields of runs by which clients filter and sort, and their filters: MongoDB's, as W&B describes them.

import { isDeepStrictEqual } from "node:util";
import { isJsonObject, shownName } from "@assay/base/internal";
import type { Run } from "@assay/tracking-core";
import { finiteObject, metricValue, runState } from "@assay/tracking-core/internal";
import { GraphQLError } from "graphql";
import { time } from "../resolvers/scalars.ts";
import { textPattern } from "./text-pattern.ts";

/** Reads something from a run at a time, in milliseconds since 1970. */
type OfRun<Value> = (run: Run, now: number) => Value;

/** A field of runs. */
export interface RunField {
  /** Its value; undefined if a run has none. */
  readonly value: OfRun<unknown>;
  /** Reads a value that it is compared with. */
  readonly operand: (raw: unknown) => unknown;
}

const FIELDS: Readonly<Record<string, OfRun<unknown>>> = {
  name: (run) => run.name,
  displayName: (run) => run.displayName,
  state: runState,
  tags: (run) => run.tags,
  group: (run) => run.group,
  jobType: (run) => run.jobType,
  notes: (run) => run.notes,
  description: (run) => run.notes,
  username: (run) => run.entity,
  createdAt: (run) => time(run.createdAt),
  heartbeatAt: (run) => time(run.heartbeatAt),
  duration: (run) => (run.heartbeatAt - run.createdAt) / 1000,
};

const PART = /^(config|summary(?:_?metrics)?)\.(.+)$/is;

/** The field with a client's name, such as `created_at`, `config.lr` or `summary_metrics.loss`. */
export function runField(name: string): RunField {
  const [, part, path] = PART.exec(name) ?? [];
  if (part !== undefined && path !== undefined) {
    const value: OfRun<unknown> =
      part === "config"
        ? (run) => configValue(run, path)
        : (run) => number(metricValue(parsed(run.summary), path));
    return { value, operand: number };
  }
  const camel = name.replaceAll(/_(\p{Ll})/gu, (_, letter: string) => letter.toUpperCase());
  const value = Object.hasOwn(FIELDS, camel) ? FIELDS[camel] : undefined;
  if (value === undefined)
    throw new GraphQLError(
      `runs have no field ${shownName(name)} here: there are ${Object.keys(FIELDS).join(", ")}, config.<key> and summary_metrics.<key>`,
    );
  return { value, operand: camel.endsWith("At") ? (raw) => instant(raw, name) : (raw) => raw };
}

/** A value of the configuration, in which clients wrap each as `{"value": …}`. */
function configValue({ config }: Run, path: string): unknown {
  const wrapped = parsed(config);
  const found = metricValue(wrapped, path);
  if (found !== undefined) return number(isWrapper(found) ? found.value : found);
  const [key = "", ...inside] = path.split(".");
  const own = Object.hasOwn(wrapped, key) ? wrapped[key] : undefined;
  return isWrapper(own) && isJsonObject(own.value)
    ? number(metricValue(own.value, inside.join(".")))
    : undefined;
}

function isWrapper(value: unknown): value is { readonly value: unknown } {
  return isJsonObject(value) && Object.hasOwn(value, "value");
}

function parsed(text: string): { readonly [name: string]: unknown } {
  return JSON.parse(text) as { readonly [name: string]: unknown };
}

/** Numbers that JSON cannot express are stored as texts. */
function number(value: unknown): unknown {
  return value === "NaN" || value === "Infinity" || value === "-Infinity" ? Number(value) : value;
}

/** A time in the form in which times of runs are compared; without a zone it is in UTC. */
function instant(raw: unknown, name: string): unknown {
  if (typeof raw !== "string") return raw;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(raw) || !raw.includes("T") ? raw : `${raw}Z`;
  const at = Date.parse(zoned);
  if (Number.isNaN(at))
    throw new GraphQLError(
      `${name} is compared with a time such as 2026-11-27T12:00:00Z, not ${shownName(raw)}`,
    );
  return time(at);
}

type Matches = OfRun<boolean>;
/** A test of a value, or of one of its items. */
type Test = (value: unknown) => boolean;

const DEEPEST = 20;
const LONGEST_FILTER = 200_000;

/** The runs that a client's filters select; undefined for all. */
export function readRunFilter(text: string | undefined): Matches | undefined {
  if (!text || text === "null") return undefined;
  const filter = text.length > LONGEST_FILTER ? undefined : finiteObject(text)?.value;
  if (filter === undefined)
    throw new GraphQLError(`filters must be a JSON object of at most ${LONGEST_FILTER} characters`);
  return Object.keys(filter).length === 0 ? undefined : matching(filter, DEEPEST);
}

function matching(filter: unknown, deepest: number): Matches {
  if (!isJsonObject(filter))
    throw new GraphQLError('a filter must be an object, such as {"state": "finished"}');
  if (deepest === 0) throw new GraphQLError(`filters may be nested at most ${DEEPEST} deep`);
  const conditions = Object.entries(filter).map(([name, value]) =>
    name.startsWith("$") ? joined(name, value, deepest - 1) : condition(name, value),
  );
  return (run, now) => conditions.every((holds) => holds(run, now));
}

function joined(name: string, raw: unknown, deepest: number): Matches {
  if (!["$and", "$or", "$nor"].includes(name)) throw unsupported(name);
  if (!Array.isArray(raw) || raw.length === 0) throw new GraphQLError(`${name} takes a list of filters`);
  const filters = raw.map((one) => matching(one, deepest));
  if (name === "$and") return (run, now) => filters.every((matches) => matches(run, now));
  const any: Matches = (run, now) => filters.some((matches) => matches(run, now));
  return name === "$or" ? any : (run, now) => !any(run, now);
}

function condition(name: string, raw: unknown): Matches {
  const field = runField(name);
  const tests =
    isJsonObject(raw) && Object.keys(raw).some((key) => key.startsWith("$"))
      ? Object.entries(raw).map(([operator, operand]) => test(operator, operand, field))
      : [test("$eq", raw, field)];
  return (run, now) => {
    const value = field.value(run, now);
    return tests.every((holds) => holds(value));
  };
}

const ORDERED: Readonly<Record<string, (difference: number) => boolean>> = {
  $gt: (difference) => difference > 0,
  $gte: (difference) => difference >= 0,
  $lt: (difference) => difference < 0,
  $lte: (difference) => difference <= 0,
};

function test(operator: string, raw: unknown, field: RunField): Test {
  switch (operator) {
    case "$eq":
      return equals(field.operand(raw));
    case "$ne":
      return not(equals(field.operand(raw)));
    case "$in":
    case "$nin": {
      if (!Array.isArray(raw)) throw new GraphQLError(`${operator} takes a list of values`);
      const tests = raw.map((one) => equals(field.operand(one)));
      const any: Test = (value) => tests.some((holds) => holds(value));
      return operator === "$in" ? any : not(any);
    }
    case "$exists":
      if (typeof raw !== "boolean") throw new GraphQLError("$exists takes true or false");
      return (value) => (value !== undefined) === raw;
    case "$not":
      if (!isJsonObject(raw)) throw new GraphQLError('$not takes operators, such as {"$gt": 1}');
      return not(every(Object.entries(raw).map(([name, operand]) => test(name, operand, field))));
    case "$regex":
      return anyItem(contains(raw));
    default: {
      const holds = Object.hasOwn(ORDERED, operator) ? ORDERED[operator] : undefined;
      if (holds === undefined) throw unsupported(operator);
      const operand = field.operand(raw);
      return anyItem((value) => {
        const difference = compareValues(value, operand);
        return difference !== undefined && holds(difference);
      });
    }
  }
}

function unsupported(operator: string): GraphQLError {
  return new GraphQLError(
    `filters have no operator ${shownName(operator)} here: there are $and, $or, $nor, $not, $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $exists and $regex`,
  );
}

const not =
  (test: Test): Test =>
  (value) =>
    !test(value);

const every =
  (tests: readonly Test[]): Test =>
  (value) =>
    tests.every((holds) => holds(value));

/** In a list, one of the items is enough. */
const anyItem =
  (test: Test): Test =>
  (value) =>
    test(value) || (Array.isArray(value) && value.some(test));

function equals(operand: unknown): Test {
  return anyItem((value) => isDeepStrictEqual(value ?? null, operand ?? null));
}

function contains(raw: unknown): Test {
  const matches = typeof raw === "string" ? textPattern(raw) : undefined;
  if (matches === undefined)
    throw new GraphQLError(
      "$regex takes characters, classes, . * + ? ^ $ and |, but no groups, and 500 characters",
    );
  return (value) => typeof value === "string" && matches(value);
}

/** Negative if `a` is less than `b`; undefined if they are not two numbers or two texts. */
export function compareValues(a: unknown, b: unknown): number | undefined {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : a === b ? 0 : undefined;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : Number(a > b);
  return undefined;
}
