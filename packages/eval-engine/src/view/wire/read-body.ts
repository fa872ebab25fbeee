// Reads the bodies of questions of a page: reports all issues together, with codes and paths like those of queries.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { excerpt, readAs, schemaOf } from "@assay/base/internal";
import { type FieldPath, LIMITS } from "@assay/query-lang";
import { printFieldPath, readFieldPath } from "@assay/query-lang/internal";
import { fieldFault } from "../../query/field.ts";
import { type EvalQuery, readRequest } from "../../query/request.ts";
import { isBuiltinMetric, LATENCY, TOKENS } from "../../statistics/measures/builtin-metrics.ts";
import type { MeasureBody } from "../../statistics/wire/body.ts";
import { DEFAULTS } from "../../statistics/wire/limits.ts";
import type { Common, RequestedMeasure } from "../../statistics/wire/read-body.ts";
import {
  type ChangeOrder,
  type FieldsBody,
  type GroupBy,
  type RowChange,
  type RowFilter,
  type RowGroupsBody,
  type RowPageBody,
  VIEW_BODIES,
  VIEW_LIMITS,
} from "./body.ts";
import { MEAN, type RowCondition, type RowValue } from "./row-filters.ts";

/** A parsed page of rows. */
export interface RowPageRequest {
  readonly query: EvalQuery;
  /** The project's directions of scores; empty until they are read. */
  readonly kept: Common["kept"];
  readonly conditions: readonly RowCondition[];
  readonly measure: RequestedMeasure | undefined;
  readonly baseline: number | undefined;
  readonly candidates: readonly number[];
  readonly change: RowChange | undefined;
  readonly order: ChangeOrder | undefined;
  /** Undefined for the default measures. */
  readonly measures: readonly FieldPath[] | undefined;
  readonly previewChars: number;
}

/** Parsed groups of rows. */
export interface RowGroupsRequest {
  readonly query: EvalQuery;
  /** The project's directions of scores; empty until they are read. */
  readonly kept: Common["kept"];
  readonly conditions: readonly RowCondition[];
  readonly by: RowValue & { readonly asked: GroupBy; readonly bins: number };
  readonly measures: readonly RequestedMeasure[];
  readonly baseline: number | undefined;
  readonly level: number;
}

/** A parsed question for available fields. */
export interface FieldsRequest {
  readonly query: EvalQuery;
}

type Path = readonly (string | number)[];

/** Reads the body of a page of rows. */
export function readRowPage(body: unknown): Result<RowPageRequest> {
  return reading<RowPageBody, RowPageRequest>("page", body, (given, query, issues) => {
    const { measure, baseline, candidate, change, order, measures } = given;
    const asked = measure == null ? undefined : readMeasure(measure, ["body", "measure"], issues);
    const from = readEvaluation(baseline, ["body", "baseline"], query, issues);
    const to = readEvaluation(candidate, ["body", "candidate"], query, issues);
    const ofDifferences = order === "largest_first";
    const compares = ofDifferences || (change != null && change !== "flaky" && change !== "missing");
    const need = (what: string, name: string): void =>
      void issues.push({ code: "missing", path: ["body", name], message: `${what} needs a ${name}` });
    if ((change ?? order) != null && measure == null) need(order == null ? "change" : "order", "measure");
    if (compares && baseline == null) need(ofDifferences ? "order" : "change", "baseline");
    if (order != null && query.sortBy.length > 0)
      issues.push(wrong(["body", "order"], "order replaces the query's sort_by: give only one of them"));
    if (from !== undefined && from === to)
      issues.push(wrong(["body", "candidate"], "the candidate is the baseline: name another evaluation"));
    if ((query.limit ?? 0) > VIEW_LIMITS.rows.most)
      issues.push(wrong(["body", "query", "limit"], `a page may have at most ${VIEW_LIMITS.rows.most} rows`));
    return {
      query: { ...query, limit: query.limit ?? VIEW_LIMITS.rows.default },
      kept: new Map(),
      conditions: readConditions(given.row_filters, query, issues),
      measure: asked,
      baseline: from,
      candidates: to === undefined ? query.evaluations.map((_, e) => e).filter((e) => e !== from) : [to],
      change: change ?? undefined,
      order: order ?? undefined,
      measures: measures
        ?.map((field, i) => readMeasurePath(field, ["body", "measures", i], issues))
        .filter((path) => path !== undefined),
      previewChars: given.preview_chars ?? VIEW_LIMITS.preview.default,
    };
  });
}

/** Reads the body of groups of rows. */
export function readRowGroups(body: unknown): Result<RowGroupsRequest> {
  return reading<RowGroupsBody, RowGroupsRequest>("groups", body, (given, query, issues) => {
    const by = readRowValue(given.by, ["body", "by"], query, issues);
    return {
      query,
      kept: new Map(),
      conditions: readConditions(given.row_filters, query, issues),
      by: { ...by, asked: given.by, bins: given.by.bins ?? VIEW_LIMITS.bins.default },
      measures: (given.measures ?? []).flatMap(
        (measure, i) => readMeasure(measure, ["body", "measures", i], issues) ?? [],
      ),
      baseline: readEvaluation(given.baseline, ["body", "baseline"], query, issues),
      level: given.level ?? DEFAULTS.level,
    };
  });
}

/** Reads the body of a question for available fields. */
export function readFieldsRequest(body: unknown): Result<FieldsRequest> {
  const given = readAs(schemaOf<FieldsBody>(VIEW_BODIES.fields), body, { at: ["body"], most: LIMITS.issues });
  if (!given.ok) return given;
  const query = readRequest({ evaluation_call_ids: given.value.evaluation_call_ids });
  return query.ok ? ok({ query: query.value }) : query;
}

function reading<Body extends { readonly query: object }, Request>(
  question: "page" | "groups",
  body: unknown,
  read: (given: Body, query: EvalQuery, issues: Issue[]) => Request,
): Result<Request> {
  const given = readAs(schemaOf<Body>(VIEW_BODIES[question]), body, { at: ["body"], most: LIMITS.issues });
  const asked = typeof body === "object" && body !== null && "query" in body ? body.query : undefined;
  const query = asked === undefined ? ok(undefined) : readRequest(asked);
  const issues: Issue[] = given.ok ? [] : [...given.issues];
  if (!query.ok)
    for (const issue of query.issues)
      issues.push({ ...issue, path: ["body", "query", ...issue.path.slice(1)] });
  if (issues.length > 0 || !given.ok || !query.ok || query.value === undefined)
    return bad(issues.slice(0, LIMITS.issues));
  const request = read(given.value, query.value, issues);
  return issues.length === 0 ? ok(request) : bad(issues.slice(0, LIMITS.issues));
}

function wrong(path: Path, message: string): Issue {
  return { code: "value_error", path: [...path], message };
}

/** The index of one of the query's evaluations; undefined if none is named, or after an issue. */
function readEvaluation(
  id: string | null | undefined,
  at: Path,
  { evaluations }: EvalQuery,
  issues: Issue[],
): number | undefined {
  if (id == null) return undefined;
  const place = evaluations.indexOf(id);
  if (place !== -1) return place;
  issues.push(wrong(at, `${excerpt(id)} is not one of the query's evaluations`));
  return undefined;
}

function readPath(field: string, at: Path, issues: Issue[]): FieldPath | undefined {
  const path = readFieldPath(field);
  if (path.ok) return path.value;
  issues.push(wrong(at, path.issues[0]!.message));
  return undefined;
}

function isMeasure(path: FieldPath): boolean {
  return isBuiltinMetric(path) || (path[0] === "scores" && fieldFault(path) === undefined);
}

function readMeasurePath(field: string, at: Path, issues: Issue[]): FieldPath | undefined {
  const path = readPath(field, at, issues);
  if (path === undefined || isMeasure(path)) return path;
  const measures = `measures are scores.<path>, ${LATENCY} and ${TOKENS}`;
  issues.push(wrong(at, `${excerpt(printFieldPath(path))} is not a measure; ${measures}`));
  return undefined;
}

function readMeasure(measure: MeasureBody | string, at: Path, issues: Issue[]): RequestedMeasure | undefined {
  const { field, direction } = typeof measure === "string" ? { field: measure, direction: null } : measure;
  const path = readMeasurePath(field, typeof measure === "string" ? at : [...at, "field"], issues);
  return path && { at: [...at], path, direction: direction ?? undefined, margin: 0, reduction: MEAN };
}

function readConditions(
  given: readonly RowFilter[] | null | undefined,
  query: EvalQuery,
  issues: Issue[],
): readonly RowCondition[] {
  return (given ?? []).map((filter, i) => readCondition(filter, ["body", "row_filters", i], query, issues));
}

function readCondition(filter: RowFilter, at: Path, query: EvalQuery, issues: Issue[]): RowCondition {
  const { field, evaluation_call_id, baseline, ...conditions } = filter;
  const value = readRowValue(filter, at, query, issues);
  const { equals, none_of, at_least, below, at_most, known } = conditions;
  if (Object.values(conditions).every((condition) => condition == null)) {
    const named = "equals, none_of, at_least, below, at_most or known";
    issues.push(wrong(at, `a row filter needs a condition: ${named}`));
  }
  if (value.evaluation !== undefined && [equals, ...(none_of ?? [])].some((one) => typeof one === "string"))
    issues.push(wrong(at, `${printFieldPath(value.path)} of a row is a number, so it never equals a text`));
  return {
    ...value,
    equals: equals ?? undefined,
    noneOf: none_of ?? undefined,
    atLeast: at_least ?? Number.NEGATIVE_INFINITY,
    below: below ?? Number.POSITIVE_INFINITY,
    atMost: at_most ?? Number.POSITIVE_INFINITY,
    bounded: (at_least ?? below ?? at_most) != null,
    known: known ?? undefined,
  };
}

/** The value that a condition applies to, or that rows are grouped by. */
function readRowValue(
  given: Pick<RowFilter, "field" | "evaluation_call_id" | "baseline">,
  at: Path,
  query: EvalQuery,
  issues: Issue[],
): RowValue {
  const path = readPath(given.field, [...at, "field"], issues);
  const evaluation = readEvaluation(given.evaluation_call_id, [...at, "evaluation_call_id"], query, issues);
  const baseline = readEvaluation(given.baseline, [...at, "baseline"], query, issues);
  if (path === undefined) return { path: [], evaluation, baseline };
  const ofRow = path[0] === "inputs" && path.length > 1;
  const named = printFieldPath(path);
  if (!ofRow && !isMeasure(path)) {
    const known = `those are inputs.<path>, scores.<path>, ${LATENCY} and ${TOKENS}`;
    issues.push(wrong([...at, "field"], `${excerpt(named)} is not a field of a row; ${known}`));
  } else if (ofRow && (given.evaluation_call_id ?? given.baseline) != null)
    issues.push(
      wrong(at, `${named} is the same in all evaluations: leave evaluation_call_id and baseline out`),
    );
  else if (!ofRow && given.evaluation_call_id == null)
    issues.push({
      code: "missing",
      path: [...at, "evaluation_call_id"],
      message: `${named} differs from evaluation to evaluation: evaluation_call_id is required`,
    });
  return { path, evaluation, baseline };
}
