// Reads the bodies of statistics questions: reports all issues together, with codes and paths like those of queries.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { excerpt, isJsonObject } from "@assay/base/internal";
import { type FieldPath, LIMITS } from "@assay/query-lang";
import { readFieldPath } from "@assay/query-lang/internal";
import type { Adjustment, Direction } from "@assay/statistics";
import { type Reduction, readReducer } from "@assay/statistics/exact";
import type { KeptDirection } from "../../ports/score-directions.ts";
import { fieldFault } from "../../query/field.ts";
import { type EvalQuery, readRequest } from "../../query/request.ts";
import { LATENCY, TOKENS } from "../measures/builtin-metrics.ts";
import { DEFAULTS, MAX_MEASURES, MAX_SLICE_FIELDS } from "./limits.ts";

/** A measure as requested. */
export interface RequestedMeasure {
  /** Its path in the request; undefined if the request names none. */
  readonly at: readonly (string | number)[] | undefined;
  readonly path: FieldPath;
  readonly direction: Direction | undefined;
  readonly margin: number;
  readonly reduction: Reduction;
}

/** The common parts of the three questions. */
export interface Common {
  readonly query: EvalQuery;
  /** The project's directions of scores; empty until they are read. */
  readonly kept: ReadonlyMap<string, KeptDirection>;
  readonly level: number;
  readonly missing: "exclude" | "fail";
  readonly clusterBy: FieldPath | null;
}

/** A parsed comparison. */
export interface CompareRequest extends Common {
  readonly baseline: string;
  /** The named measures; undefined for all score leaves. */
  readonly measures: readonly RequestedMeasure[] | undefined;
  /** Options for measures that are not named. */
  readonly unnamed: Omit<RequestedMeasure, "path" | "at">;
  readonly interval: "auto" | "bootstrap";
  readonly adjustment: Adjustment;
  readonly anytime: "auto" | boolean;
  readonly anytimeRows: number;
  readonly seed: number;
}

/** Parsed slices. */
export interface SlicesRequest extends Common {
  readonly baseline: string;
  readonly candidate: string;
  readonly measure: RequestedMeasure;
  /** Undefined for all fields that can slice the rows. */
  readonly fields: readonly FieldPath[] | undefined;
  readonly depth: 1 | 2;
  readonly minRows: number;
}

/** A parsed ranking. */
export interface RankingRequest extends Common {
  readonly measure: RequestedMeasure;
}

type Body = { readonly [key: string]: unknown };
type Path = readonly (string | number)[];

/** Collects issues, up to a limit. */
class Faults {
  readonly issues: Issue[] = [];

  add(code: string, path: Path, message: string): void {
    if (this.issues.length < LIMITS.issues) this.issues.push({ code, path: [...path], message });
  }
}

/** Reads the body of a comparison. */
export function readCompare(body: unknown): Result<CompareRequest> {
  return reading(body, COMPARE_KEYS, (given, faults) => {
    const common = readCommon(given, faults);
    const fallback = {
      direction: readChoice(given, "direction", DIRECTIONS, ["body"], faults),
      margin: readNumber(given, "margin", MARGIN, ["body"], faults) ?? 0,
      reduction: readReduction(given, ["body"], faults) ?? MEAN,
    };
    const measures = readMeasures(given["measures"], fallback, faults);
    const interval =
      readChoice(given, "interval", ["auto", "bootstrap"] as const, ["body"], faults) ?? "auto";
    const adjustment =
      readChoice(given, "adjustment", ["holm", "bh", "none"] as const, ["body"], faults) ??
      (measures === undefined ? "bh" : "holm");
    const anytime = given["anytime"] ?? "auto";
    if (anytime !== "auto" && typeof anytime !== "boolean")
      faults.add("literal_error", ["body", "anytime"], "anytime must be 'auto', true or false");
    return {
      ...common,
      baseline: readEvaluation(given, "baseline", common.query, faults),
      measures,
      unnamed: fallback,
      interval,
      adjustment,
      anytime: anytime as "auto" | boolean,
      anytimeRows: readNumber(given, "anytime_rows", COUNT, ["body"], faults) ?? DEFAULTS.anytimeRows,
      seed: readNumber(given, "seed", SEED, ["body"], faults) ?? 0,
    };
  });
}

/** Reads the body of slices. */
export function readSlices(body: unknown): Result<SlicesRequest> {
  return reading(body, SLICES_KEYS, (given, faults) => {
    const common = readCommon(given, faults);
    const margin = readNumber(given, "margin", MARGIN, ["body"], faults) ?? 0;
    const baseline = readEvaluation(given, "baseline", common.query, faults);
    const candidate = readEvaluation(given, "candidate", common.query, faults);
    if (baseline !== "" && baseline === candidate)
      faults.add(
        "value_error",
        ["body", "candidate"],
        "the candidate is the baseline: name another evaluation",
      );
    return {
      ...common,
      baseline,
      candidate,
      measure: readOneMeasure(given, margin, faults),
      fields: readFields(given["fields"], faults),
      depth: (readChoice(given, "depth", [1, 2] as const, ["body"], faults) ?? 1) as 1 | 2,
      minRows: readNumber(given, "min_rows", COUNT, ["body"], faults) ?? DEFAULTS.minRows,
    };
  });
}

/** Reads a ranking's body. */
export function readRanking(body: unknown): Result<RankingRequest> {
  return reading(body, RANKING_KEYS, (given, faults) => ({
    ...readCommon(given, faults),
    measure: readOneMeasure(given, 0, faults),
  }));
}

const COMMON_KEYS = ["query", "level", "missing"];
const COMPARE_KEYS: ReadonlySet<string> = new Set([
  ...COMMON_KEYS,
  ...["baseline", "measures", "margin", "direction", "reduce", "cluster_by", "interval", "adjustment"],
  ...["anytime", "anytime_rows", "seed"],
]);
const SLICES_KEYS: ReadonlySet<string> = new Set([
  ...COMMON_KEYS,
  ...["baseline", "candidate", "measure", "fields", "depth", "min_rows", "margin"],
]);
const RANKING_KEYS: ReadonlySet<string> = new Set([...COMMON_KEYS, "measure", "cluster_by"]);
const MEASURE_KEYS: ReadonlySet<string> = new Set(["field", "direction", "margin", "reduce"]);

const MEAN = readReducer("mean")!;
const DIRECTIONS = ["higher", "lower"] as const;

function reading<T>(
  body: unknown,
  keys: ReadonlySet<string>,
  read: (body: Body, faults: Faults) => T,
): Result<T> {
  if (!isJsonObject(body))
    return bad([{ code: "dict_type", path: ["body"], message: "the body must be a JSON object" }]);
  const faults = new Faults();
  refuseOthers(body, keys, ["body"], faults);
  const value = read(body, faults);
  return faults.issues.length === 0 ? ok(value) : bad(faults.issues);
}

function refuseOthers(given: Body, keys: ReadonlySet<string>, at: Path, faults: Faults): void {
  for (const key of Object.keys(given).slice(0, LIMITS.issues))
    if (!keys.has(key))
      faults.add("extra_forbidden", [...at, key], `${key} is not a property of this object`);
}

function readCommon(given: Body, faults: Faults): Common {
  const query = readQueryBody(given["query"], faults);
  const level = readNumber(given, "level", LEVEL, ["body"], faults) ?? DEFAULTS.level;
  const missing = readChoice(given, "missing", ["exclude", "fail"] as const, ["body"], faults) ?? "exclude";
  return { query, kept: new Map(), level, missing, clusterBy: readClusterBy(given["cluster_by"], faults) };
}

function readQueryBody(given: unknown, faults: Faults): EvalQuery {
  const at = ["body", "query"];
  if (given === undefined) {
    faults.add("missing", at, "query is required");
    return NO_QUERY;
  }
  const read = readRequest(given);
  if (read.ok) return read.value;
  for (const issue of read.issues) faults.add(issue.code, [...at, ...issue.path.slice(1)], issue.message);
  return NO_QUERY;
}

// Stands in for an unreadable query while the rest of the body is checked.
const NO_QUERY = (readRequest({}) as { readonly value: EvalQuery }).value;

function readClusterBy(given: unknown, faults: Faults): FieldPath | null {
  if (given === undefined || given === null) return null;
  const at = ["body", "cluster_by"];
  if (typeof given === "string") return readRowField(given, at, faults) ?? null;
  faults.add("string_type", at, "cluster_by must be a string");
  return null;
}

/** A field of the row. */
function readRowField(given: string, at: Path, faults: Faults): FieldPath | undefined {
  const path = readFieldPath(given);
  if (!path.ok) faults.add("value_error", at, path.issues[0]!.message);
  else if (path.value[0] === "inputs" && path.value.length > 1) return path.value;
  else faults.add("value_error", at, `${excerpt(given)} is not a field of the row: those start with inputs.`);
  return undefined;
}

function readFields(given: unknown, faults: Faults): readonly FieldPath[] | undefined {
  if (given === undefined || given === null) return undefined;
  const at = ["body", "fields"];
  if (!Array.isArray(given)) {
    faults.add("list_type", at, "fields must be a list");
    return undefined;
  }
  if (given.length > MAX_SLICE_FIELDS) {
    faults.add("too_long", at, `at most ${MAX_SLICE_FIELDS} fields in one request, not ${given.length}`);
    return undefined;
  }
  const paths = given.flatMap((field: unknown, i) => {
    if (typeof field === "string") return [readRowField(field, [...at, i], faults) ?? []];
    faults.add("string_type", [...at, i], "a field must be a string");
    return [];
  });
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}

/** One of the query's evaluations; empty after an issue. */
function readEvaluation(given: Body, key: string, query: EvalQuery, faults: Faults): string {
  const { evaluations } = query;
  const id = given[key];
  const at = ["body", key];
  if (id === undefined) faults.add("missing", at, `${key} is required`);
  else if (typeof id !== "string") faults.add("string_type", at, `${key} must be a string`);
  else if (query === NO_QUERY) return "";
  else if (evaluations.length < 2)
    faults.add(
      "value_error",
      ["body", "query"],
      `a comparison needs two evaluations, not ${evaluations.length === 1 ? "one" : "none"}`,
    );
  else if (!evaluations.includes(id))
    faults.add("value_error", at, `${excerpt(id)} is not one of the query's evaluations`);
  else return id;
  return "";
}

function readMeasures(
  given: unknown,
  fallback: Omit<RequestedMeasure, "path" | "at">,
  faults: Faults,
): readonly RequestedMeasure[] | undefined {
  if (given === undefined || given === null) return undefined;
  const at = ["body", "measures"];
  if (!Array.isArray(given)) {
    faults.add("list_type", at, "measures must be a list");
    return undefined;
  }
  if (given.length === 0)
    faults.add("too_short", at, "at least one measure is needed; leave measures out for all");
  if (given.length > MAX_MEASURES) {
    faults.add("too_long", at, `at most ${MAX_MEASURES} measures in one request, not ${given.length}`);
    return undefined;
  }
  return given.flatMap((measure: unknown, i) => readMeasure(measure, [...at, i], fallback, faults) ?? []);
}

function readOneMeasure(given: Body, margin: number, faults: Faults): RequestedMeasure {
  const fallback = { direction: undefined, margin, reduction: MEAN };
  if (given["measure"] === undefined) faults.add("missing", ["body", "measure"], "measure is required");
  else {
    const measure = readMeasure(given["measure"], ["body", "measure"], fallback, faults);
    if (measure !== undefined) return measure;
  }
  return { ...fallback, at: undefined, path: [] };
}

/** A measure, given as its field or as an object with options. */
function readMeasure(
  given: unknown,
  at: Path,
  fallback: Omit<RequestedMeasure, "path" | "at">,
  faults: Faults,
): RequestedMeasure | undefined {
  if (typeof given === "string") return withPath(given, at, fallback, faults);
  if (!isJsonObject(given)) {
    faults.add("dict_type", at, "a measure must be a JSON object or the name of a field");
    return undefined;
  }
  refuseOthers(given, MEASURE_KEYS, at, faults);
  const asked = {
    direction: readChoice(given, "direction", DIRECTIONS, at, faults) ?? fallback.direction,
    margin: readNumber(given, "margin", MARGIN, at, faults) ?? fallback.margin,
    reduction: readReduction(given, at, faults) ?? fallback.reduction,
  };
  if (typeof given["field"] === "string") return withPath(given["field"], [...at, "field"], asked, faults);
  if (given["field"] === undefined) faults.add("missing", [...at, "field"], "field is required");
  else faults.add("string_type", [...at, "field"], "field must be a string");
  return undefined;
}

function withPath(
  field: string,
  at: Path,
  asked: Omit<RequestedMeasure, "path" | "at">,
  faults: Faults,
): RequestedMeasure | undefined {
  const path = readFieldPath(field);
  if (!path.ok) {
    faults.add("value_error", at, path.issues[0]!.message);
    return undefined;
  }
  const isMeasure =
    field === LATENCY ||
    field === TOKENS ||
    (path.value[0] === "scores" && fieldFault(path.value) === undefined);
  if (isMeasure) return { ...asked, at, path: path.value };
  faults.add(
    "value_error",
    at,
    `${excerpt(field)} is not a measure; measures are scores.<path>, ${LATENCY} and ${TOKENS}`,
  );
  return undefined;
}

function readReduction(given: Body, at: Path, faults: Faults): Reduction | undefined {
  const name = given["reduce"];
  if (name === undefined || name === null) return undefined;
  const reduction = typeof name === "string" ? readReducer(name) : undefined;
  if (reduction === undefined)
    faults.add(
      "literal_error",
      [...at, "reduce"],
      "reduce must be 'mean', 'any', 'all', 'majority', 'max', 'min', 'median', 'pass@k' or 'pass^k' with a number for k",
    );
  return reduction;
}

function readChoice<T extends string | number>(
  given: Body,
  key: string,
  choices: readonly T[],
  at: Path,
  faults: Faults,
): T | undefined {
  const value = given[key];
  if (value === undefined || value === null) return undefined;
  if (choices.includes(value as T)) return value as T;
  const listed = choices.map((choice) => (typeof choice === "string" ? `'${choice}'` : choice));
  faults.add(
    "literal_error",
    [...at, key],
    `${key} must be ${listed.slice(0, -1).join(", ")} or ${listed.at(-1)}`,
  );
  return undefined;
}

/** The allowed numbers of a property. */
interface NumberRule {
  readonly integer: boolean;
  readonly fault: (value: number) => readonly [code: string, message: string] | undefined;
}

const MARGIN: NumberRule = {
  integer: false,
  fault: (value) => (value < 0 ? ["greater_than_equal", "must be 0 or more"] : undefined),
};
const LEVEL: NumberRule = {
  integer: false,
  fault: (value) =>
    value > 0 && value < 1
      ? undefined
      : [value <= 0 ? "greater_than" : "less_than", "must be between 0 and 1, such as 0.95"],
};
const COUNT: NumberRule = {
  integer: true,
  fault: (value) => (value < 1 ? ["greater_than_equal", "must be 1 or more"] : undefined),
};
const SEED: NumberRule = {
  integer: true,
  fault: (value) => (value !== (value | 0) ? ["value_error", "must fit 32 bits"] : undefined),
};

function readNumber(
  given: Body,
  key: string,
  rule: NumberRule,
  at: Path,
  faults: Faults,
): number | undefined {
  const value = given[key];
  if (value === undefined || value === null) return undefined;
  const path = [...at, key];
  if (
    typeof value !== "number" ||
    !Number.isFinite(value) ||
    (rule.integer && !Number.isSafeInteger(value))
  ) {
    const [code, wanted] = rule.integer ? ["int_type", "an integer"] : ["float_type", "a number"];
    faults.add(code!, path, `${key} must be ${wanted}`);
    return undefined;
  }
  const fault = rule.fault(value);
  if (fault === undefined) return value;
  faults.add(fault[0], path, `${key} ${fault[1]}`);
  return undefined;
}
