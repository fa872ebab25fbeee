// The trials of a query as SQL. Each statement of a query groups them in a different way.

import type { EvalQuery } from "@assay/eval-engine/internal";
import type { Tables } from "../connection/schema.ts";
import { Fields } from "./fields.ts";
import { Parameters, type Sql } from "./statement.ts";
import type { SqlValue } from "./value.ts";

/** Facts about a query's trials, known before its statements are built. Some may only be true of earlier versions. */
export interface Preflight {
  /** Whether a requested ID is itself a trial of another requested one, and then does not count. */
  readonly nested: boolean;
  /** The shapes of trials' scores. Empty without a summary. */
  readonly shapes: readonly string[];
}

/** Writes the statements of one query on one project. */
export interface QueryContext extends Preflight {
  readonly tables: Tables;
  readonly project: string;
  readonly query: EvalQuery;
}

/**
 * A statement under construction, in layers: the trials with the stored values of fields; what a query computes for
 * each trial; then the grouping. Each layer names its values, so that none is written or computed twice.
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
      { sql: this.placeOf("t.evaluation"), as: "e" },
      { sql: "t.started", as: "started" },
      { sql: "t.id", as: "id" },
    );
  }

  /** The value of a field of a trial, for `compute`. */
  value(path: readonly string[]): SqlValue {
    return this.fields.value(path);
  }

  /** The name of a value of each trial, over its fields and earlier names. */
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

  /** The place of the evaluation in a column, looked up once for each name in the column, not for each trial. */
  private placeOf(column: Sql): Sql {
    const places = this.parameters.bind(
      "Array(UInt16)",
      this.context.query.evaluations.map((_, i) => i + 1),
    );
    return `CAST(transform(${column}, ${this.evaluations}, ${places}, toUInt16(0)), 'UInt16')`;
  }

  /** The place of an evaluation in the request, from 1; 0 if it was not requested. */
  place(evaluation: string): Sql {
    return this.parameters.bind("UInt16", this.context.query.evaluations.indexOf(evaluation) + 1);
  }

  /**
   * The aggregate over a row's trials that counts the evaluations in which one meets `condition`, which is never NULL.
   */
  places(condition: Sql): Sql {
    // One bit each while they fit: with a set for each row a page takes a tenth longer.
    return this.context.query.evaluations.length > 64
      ? `uniqExactIf(e, ${condition})`
      : `bitCount(groupBitOrIf(bitShiftLeft(toUInt64(1), e - 1), ${condition}))`;
  }

  /**
   * The trials of a shard: `digest`, `e` (the place of the evaluation), `started`, `id` and the requested values. A
   * requested ID that is itself a child of another one is not a trial.
   */
  from(): Sql {
    const { tables } = this.context;
    // IDs are only read if necessary: they take most of the space in the narrow columns.
    const others = this.context.nested ? ` AND t.id NOT IN ${this.evaluations}` : "";
    const where = `t.project = ${this.project} AND t.evaluation IN ${this.evaluations}${others}`;
    const trials = this.fields.from(tables, this.stored, where, this.project);
    if (this.computed.length === 0) return trials;
    const names = this.stored.map(({ as }) => as);
    return `(SELECT ${[...names, ...this.computed].join(", ")} FROM ${trials})`;
  }
}
