// The columns that a query's fields are read from; each field has the value that the engine's `readField` returns. Each
// field in a query has its own aliases, so the text of a statement does not depend on which fields are equal.

import type { FieldPath } from "@assay/query-lang";
import { fieldKey } from "../columns/field-key.ts";
import { OUTPUT_AT } from "../columns/trial-rows.ts";
import type { Tables } from "../connection/schema.ts";
import type { Parameters, Sql } from "./statement.ts";
import { type SqlValue, storedValue } from "./value.ts";

/** The fields of one statement; requesting one adds its columns. */
export class Fields {
  private readonly parameters: Parameters;
  /** Columns of type Dynamic over the trials `t` and, for fields of the row, the dataset rows `r` and `i`. */
  private readonly stored: Sql[] = [];
  private readonly ofRows: Sql[] = [];
  /** The readings of stored values, over those columns. */
  private readonly read: Sql[] = [];

  constructor(parameters: Parameters) {
    this.parameters = parameters;
  }

  /** The value of a field, over the columns that `from` returns. */
  value(path: FieldPath): SqlValue {
    const name = `f${this.stored.length}`;
    const columns = { number: `${name}_n`, flag: `${name}_b`, text: `${name}_s` };
    this.stored.push(`${this.dynamic(path, name)} AS ${name}`);
    this.read.push(
      `dynamicElement(${name}, 'Float64') AS ${columns.number}`,
      `CAST(dynamicElement(${name}, 'Bool'), 'Nullable(UInt8)') AS ${columns.flag}`,
      `ifNull(dynamicElement(${name}, 'String'), '') AS ${columns.text}`,
    );
    return storedValue(columns);
  }

  /**
   * The trials of a shard that `where` selects, with `columns` over the table `t`, by their aliases, and those of the
   * fields.
   */
  from(
    tables: Tables,
    columns: readonly { readonly sql: Sql; readonly as: Sql }[],
    where: Sql,
    project: Sql,
  ): Sql {
    const own = columns.map(({ sql, as }) => `${sql} AS ${as}`);
    const trials = `${tables.shard.trials} AS t FINAL ${this.joins(tables, project)} WHERE ${where}`;
    if (this.stored.length === 0) return `(SELECT ${own.join(", ")} FROM ${trials})`;
    const inner = `SELECT ${[...own, ...this.stored].join(", ")} FROM ${trials}`;
    return `(SELECT ${[...columns.map(({ as }) => as), ...this.read].join(", ")} FROM (${inner}))`;
  }

  private joins(tables: Tables, project: Sql): Sql {
    if (this.ofRows.length === 0) return "";
    const rows = `(SELECT key, toUInt8(1) AS found, ${this.ofRows.join(", ")} FROM ${tables.shard.rows} AS d FINAL WHERE project = ${project})`;
    return `LEFT ANY JOIN ${rows} AS r ON r.key = t.reference LEFT ANY JOIN ${rows} AS i ON i.key = t.digest`;
  }

  private dynamic(path: FieldPath, name: string): Sql {
    const rest = path.slice(1);
    switch (path[0]) {
      case "scores":
        return this.sub("t.scores", rest);
      case "outputs": {
        const [output, other] = [
          ["output", ...rest],
          ["model_output", ...rest],
        ];
        const at = (where: number): Sql => `t.output_at = ${where}`;
        return `multiIf(${at(OUTPUT_AT.output)}, ${this.sub("t.outputs", output)}, ${at(OUTPUT_AT.model_output)}, ${this.sub("t.outputs", other)}, NULL)`;
      }
      case "output": {
        if (rest[0] !== "scores") return this.sub("t.outputs", rest);
        // Scores that are an object are in the scores, all others in the outputs: one of the two is empty.
        const [scores, outputs] = [this.sub("t.scores", rest.slice(1)), this.sub("t.outputs", rest)];
        return `if(isNull(${scores}), ${outputs}, ${scores})`;
      }
      case "inputs": {
        this.ofRows.push(`${this.sub("d.value", rest)} AS row_${name}`);
        const unresolved = rest.length === 0 ? "CAST(concat('s', t.reference), 'Dynamic')" : "NULL";
        // A row under exactly this reference takes precedence over one only under its digest.
        return `multiIf(t.reference = '', ${this.sub("t.example", rest)}, r.found = 1, r.row_${name}, i.found = 1, i.row_${name}, ${unresolved})`;
      }
      default:
        return "CAST(concat(if(t.digest_number = '', 's', concat('q', t.digest_number)), t.digest), 'Dynamic')";
    }
  }

  private sub(json: Sql, path: FieldPath): Sql {
    return `${json}.${this.parameters.bind("Identifier", fieldKey(path))}`;
  }
}
