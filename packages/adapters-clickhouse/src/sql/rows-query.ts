// Rows of a query in SQL: trials grouped by row, kept by filters and intersection, in order (SEMANTICS §2 to §4).

import type { EvalQuery, Filter, SortKey } from "@assay/eval-engine";
import type { Statement } from "../clickhouse.ts";
import type { Tables } from "../schema.ts";
import { conditionSql } from "./condition.ts";
import { exactSumOfArray } from "./exact.ts";
import { Fields } from "./fields.ts";
import { Parameters, type Sql } from "./statement.ts";
import type { SqlValue } from "./value.ts";

/** Writes the statements of one query on one project. */
export interface QueryContext {
  readonly tables: Tables;
  readonly project: string;
  readonly query: EvalQuery;
  /** Whether a requested id is itself a trial of another requested one: it is then none. */
  readonly nested: boolean;
}

/**
 * A statement under way, in layers: the trials with what is stored of the fields; what a query makes of each trial;
 * then whatever groups them. A layer names what it computes, so that nothing is written or computed twice.
 */
export class TrialsSql {
  readonly parameters: Parameters;
  private readonly fields: Fields;
  private readonly project: Sql;
  private readonly evaluations: Sql;
  private readonly context: QueryContext;
  private readonly computed: Sql[] = [];
  private readonly stored: { readonly sql: Sql; readonly as: Sql }[] = [];

  constructor(context: QueryContext, parameters: Parameters = new Parameters()) {
    this.context = context;
    this.parameters = parameters;
    this.fields = new Fields(parameters);
    this.project = this.parameters.text(context.project);
    this.evaluations = this.parameters.texts(context.query.evaluations);
    this.stored.push(
      { sql: "t.digest", as: "digest" },
      { sql: `toUInt16(indexOf(${this.evaluations}, t.evaluation))`, as: "e" },
      { sql: "t.started", as: "started" },
      { sql: "t.id", as: "id" },
    );
  }

  /** The value of a field of a trial, for `compute`. */
  value(path: readonly string[]): SqlValue {
    return this.fields.value(path);
  }

  /** The name of a value of each trial, over its fields. */
  compute(sql: Sql): Sql {
    this.computed.push(`${sql} AS c${this.computed.length}`);
    return `c${this.computed.length - 1}`;
  }

  /** The name of a value of each trial, over the columns of the table `t`. */
  column(sql: Sql): Sql {
    const as = `t${this.stored.length}`;
    this.stored.push({ sql, as });
    return as;
  }

  /** The place of an evaluation in the request, from 1; 0 when it was not requested. */
  place(evaluation: string): Sql {
    return this.parameters.bind("UInt16", this.context.query.evaluations.indexOf(evaluation) + 1);
  }

  /**
   * The trials: `digest`, `e` (the place of the evaluation), `started`, `id` and what was asked for so far. A requested
   * id that is itself a child of another one is no trial.
   */
  from(): Sql {
    const { tables } = this.context;
    // Ids are read only when they matter: they are most of what the narrow columns hold.
    const others = this.context.nested ? ` AND t.id NOT IN ${this.evaluations}` : "";
    const where = `t.project = ${this.project} AND t.evaluation IN ${this.evaluations}${others}`;
    const trials = this.fields.from(tables, this.stored, where, this.project);
    if (this.computed.length === 0) return trials;
    const names = this.stored.map(({ as }) => as);
    return `(SELECT ${[...names, ...this.computed].join(", ")} FROM ${trials})`;
  }
}

/**
 * The digests of the page in order; its count before the limit is the total. `numeric` says of each key what
 * `numericStatement` found. With `few`, sums are those of up to two numbers, which need no care, and every row also has
 * the largest count of numbers in any sum: beyond two, the page has to be asked for without.
 */
export function pageStatement(context: QueryContext, numeric: readonly boolean[], few = false): Statement {
  const { query } = context;
  const sql = new TrialsSql(context);
  const keys = query.sortBy.map((key, k) => sortKeySql(key, k, query, numeric[k]!, few, sql));
  const { columns, having } = kept(query, query.intersect, sql);
  const counts = keys.flatMap(({ counts }) => counts);
  const most = few ? [`max(greatest(${["0", ...counts].join(", ")})) OVER () AS most`] : [];
  const aggregates = ["digest", ...keys.flatMap(({ aggregates }) => aggregates), ...columns].join(", ");
  const rows = `SELECT ${aggregates} FROM ${sql.from()} GROUP BY digest`;
  const values = ["digest", ...keys.flatMap(({ values }) => values), ...most].join(", ");
  const order = [...keys.flatMap(({ order }) => order), "digest"].join(", ");
  const limit = sql.parameters.bind("UInt64", query.limit ?? Number.MAX_SAFE_INTEGER);
  const offset = sql.parameters.bind("UInt64", query.offset);
  return sql.parameters.statement(
    `SELECT digest${few ? ", most" : ""} FROM (SELECT ${values} FROM (${rows}) WHERE ${having}) ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`,
  );
}

/** Whether a requested id is a trial of another one. */
export function nestedStatement({ tables, project, query }: Omit<QueryContext, "nested">): Statement {
  const parameters = new Parameters();
  const [p, evaluations] = [parameters.text(project), parameters.texts(query.evaluations)];
  return parameters.statement(
    `SELECT count() FROM ${tables.trials} FINAL WHERE project = ${p} AND evaluation IN ${evaluations} AND id IN ${evaluations}`,
  );
}

/** How many rows there are. */
export function countStatement(context: QueryContext, intersect: boolean): Statement {
  const sql = new TrialsSql(context);
  return sql.parameters.statement(`SELECT count() FROM ${keptRows(context.query, intersect, sql)}`);
}

/** The digests of the rows that filters and intersection keep. */
export function keptRows(query: EvalQuery, intersect: boolean, sql: TrialsSql): Sql {
  const { columns, having } = kept(query, intersect, sql);
  return `(SELECT digest FROM (SELECT ${["digest", ...columns].join(", ")} FROM ${sql.from()} GROUP BY digest) WHERE ${having})`;
}

/** Whether every row is kept: there is nothing to filter or to intersect. */
export function keepsAll(query: EvalQuery, intersect: boolean): boolean {
  return query.filters.length === 0 && !(intersect && query.evaluations.length > 1);
}

/** For each sort key by the value of a score: whether any trial that it reads has a number there. */
export function numericStatement(context: QueryContext): Statement | undefined {
  const { query } = context;
  if (!query.sortBy.some(needsNumeric)) return undefined;
  const parameters = new Parameters();
  const asked = query.sortBy.map((key) => {
    if (!needsNumeric(key)) return "toUInt64(0)";
    const sql = new TrialsSql(context, parameters);
    const number = sql.compute(sql.value(key.path).number());
    const scope = key.evaluation === null ? "" : ` AND e = ${sql.place(key.evaluation)}`;
    return `(SELECT count() FROM (SELECT 1 FROM ${sql.from()} WHERE isNotNull(${number})${scope} LIMIT 1))`;
  });
  return parameters.statement(`SELECT ${asked.join(", ")}`);
}

function needsNumeric({ path, difference }: SortKey): boolean {
  return path[0] === "scores" && !difference;
}

interface Kept {
  /** Aggregates that `having` is about. */
  readonly columns: readonly Sql[];
  readonly having: Sql;
}

function kept(query: EvalQuery, intersect: boolean, sql: TrialsSql): Kept {
  const columns: Sql[] = [];
  const having: Sql[] = [];
  if (intersect && query.evaluations.length > 1) {
    columns.push("uniqExact(e) AS present");
    having.push(`present = ${sql.parameters.bind("UInt16", query.evaluations.length)}`);
  }
  if (query.filters.length > 0) {
    const { filters } = query;
    const everywhere = filters.some(({ evaluation }) => evaluation === null);
    const scopes = [...new Set(filters.flatMap(({ evaluation }) => evaluation ?? []))];
    // The evaluations to which at least one filter applies.
    const places = scopes.map((scope) => query.evaluations.indexOf(scope) + 1);
    const applies = everywhere ? "1" : `has(${sql.parameters.bind("Array(UInt16)", places)}, e)`;
    const passes = sql.compute([applies, ...filters.map((filter) => passSql(filter, sql))].join(" AND "));
    const needed = everywhere ? new Set([...query.evaluations, ...scopes]).size : scopes.length;
    columns.push(query.matchAll ? `uniqExactIf(e, ${passes}) AS matched` : `max(${passes}) AS matched`);
    having.push(`matched = ${query.matchAll ? sql.parameters.bind("UInt16", needed) : "1"}`);
  }
  return { columns, having: having.length === 0 ? "1" : having.join(" AND ") };
}

/** Whether a trial passes a filter, or the filter is not about it: never NULL. */
function passSql({ evaluation, expr }: Filter, sql: TrialsSql): Sql {
  const condition = conditionSql(expr, { parameters: sql.parameters, field: (path) => sql.value(path) });
  const holds = `ifNull(${condition}, 0)`;
  return evaluation === null ? holds : `(e != ${sql.place(evaluation)} OR ${holds})`;
}

interface SortKeySql {
  /** Of each row's trials. */
  readonly aggregates: readonly Sql[];
  /** Of those, for each row. */
  readonly values: readonly Sql[];
  readonly order: readonly Sql[];
  /** How many numbers each sum is of: aggregates. */
  readonly counts: readonly Sql[];
}

/** Whether sums of up to two numbers may be all that sorting needs. */
export function mayBeFew(query: EvalQuery, numeric: readonly boolean[]): boolean {
  const summed = query.sortBy.filter(({ difference }, k) => difference || numeric[k]);
  return (
    summed.length > 0 &&
    summed.every(
      ({ difference, evaluation }) => difference || evaluation !== null || query.evaluations.length <= 2,
    )
  );
}

/** A sort key's number and text: one of them is not NULL, or neither, and missing comes last in both directions. */
function sortKeySql(
  key: SortKey,
  k: number,
  query: EvalQuery,
  numeric: boolean,
  few: boolean,
  sql: TrialsSql,
): SortKeySql {
  const value = sql.value(key.path);
  const direction = key.descending ? "DESC" : "ASC";
  const [number, text] = [`n${k}`, `s${k}`];
  const byNumber = [`isNull(${number})`, `${number} ${direction}`];
  const byText = [`isNull(${text})`, `${text} ${direction}`];
  const scope = key.evaluation === null ? "1" : `e = ${sql.place(key.evaluation)}`;
  if (key.difference || numeric) {
    const each = key.difference ? query.evaluations.map((_, i) => `e = ${i + 1}`) : [scope];
    const { aggregates, means, counts } = meansSql(sql.compute(value.number()), k, each, few);
    const mean = key.difference ? spreadSql(means) : `${means}[1]`;
    return { aggregates, values: [`${mean} AS ${number}`], order: byNumber, counts };
  }
  const byScore = key.path[0] === "scores";
  const number1 = byScore ? "CAST(NULL, 'Nullable(Float64)')" : sql.compute(value.number());
  // Compared only with rows that have no number either.
  const text1 = sql.compute(byScore ? value.text() : `if(isNull(${value.number()}), ${value.text()}, NULL)`);
  return {
    aggregates: [`argMinIf((${number1}, ${text1}), (e, started, id), ${scope}) AS first${k}`],
    values: [`first${k}.1 AS ${number}`, `first${k}.2 AS ${text}`],
    order: byScore ? byText : [...byNumber, ...byText],
    counts: [],
  };
}

/** The means of a number over a row's trials in each scope: a list, with NULL where there is none. */
function meansSql(
  number: Sql,
  k: number,
  scopes: readonly Sql[],
  few: boolean,
): { readonly aggregates: readonly Sql[]; readonly means: Sql; readonly counts: readonly Sql[] } {
  const name = (what: string, i: number): Sql => `${what}${k}_${i}`;
  const aggregates = scopes.flatMap((scope, i) => [
    `countIf(isNotNull(${number}) AND ${scope}) AS ${name("count", i)}`,
    `sumIf(ifNull(${number}, 0), ${scope}) AS ${name("sum", i)}`,
    ...(few
      ? []
      : [`groupArrayIf(assumeNotNull(${number}), isNotNull(${number}) AND ${scope}) AS ${name("all", i)}`]),
  ]);
  const list = (what: string): Sql => `[${scopes.map((_, i) => name(what, i)).join(", ")}]`;
  const counts = scopes.map((_, i) => name("count", i));
  if (few) {
    const means = `arrayMap((count, sum) -> if(count = 0, NULL, sum / count), ${list("count")}, ${list("sum")})`;
    return { aggregates, means, counts };
  }
  // The sum of two is correctly rounded as it is.
  const sum = `if(count < 3, sum, ${exactSumOfArray("if(count < 3, [], all)")})`;
  const mean = `if(count = 0, NULL, ${sum} / count)`;
  return {
    aggregates,
    means: `arrayMap((count, sum, all) -> ${mean}, ${list("count")}, ${list("sum")}, ${list("all")})`,
    counts,
  };
}

/** The largest less the smallest of a list of means; NULL with fewer than two. */
function spreadSql(means: Sql): Sql {
  const known = `arrayMap(m -> assumeNotNull(m), arrayFilter(m -> isNotNull(m), ${means}))`;
  return `arrayMap(a -> if(length(a) < 2, NULL, arrayMax(a) - arrayMin(a)), [${known}])[1]`;
}
