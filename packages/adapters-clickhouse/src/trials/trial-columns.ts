// The trials that statistics read: the statement that requests them as columns, and the columns of its answer.

import { parseJson } from "@assay/base/internal";
import type { RequestedColumns, TrialColumns } from "@assay/eval-engine/pushed";
import type { FieldPath, Json } from "@assay/query-lang";
import type { Columns, Statement } from "../connection/clickhouse.ts";
import { selectedDigests, selectsAllRows } from "../sql/rows-query.ts";
import type { Sql } from "../sql/statement.ts";
import { leavesOf, tokensColumn } from "../sql/summary-query.ts";
import { type QueryContext, TrialsSql } from "../sql/trials-sql.ts";
import { KIND } from "../sql/value.ts";

/** The leaves of some shapes with numbers or booleans. */
export function leavesOfShapes(shapes: readonly string[]): readonly FieldPath[] {
  const leaves = new Map<string, FieldPath>();
  for (const shape of shapes)
    for (const [keys, type] of leavesOf(shape)) if (type !== "string") leaves.set(JSON.stringify(keys), keys);
  return [...leaves.values()];
}

/** All trials of the evaluations, in order. */
export function columnsStatement(context: QueryContext, { measures, fields }: RequestedColumns): Statement {
  const { query, tables } = context;
  const sql = new TrialsSql(context);
  const columns: Sql[] = [];
  const asColumn = (of: Sql, name: string): void => void columns.push(`${of} AS ${name}`);
  for (const [m, path] of measures.entries()) {
    const [kind, number] =
      path[0] === "scores" ? scoreOf(path, sql) : tokensOf(sql.column(tokensColumn(context)));
    asColumn(kind, `kind${m}`);
    asColumn(number, `number${m}`);
  }
  for (const [f, path] of fields.entries()) {
    const value = sql.value(path);
    asColumn(sql.compute(value.kind()), `type${f}`);
    asColumn(sql.compute(`ifNull(${value.number()}, 0)`), `value${f}`);
    asColumn(sql.compute(`ifNull(${value.text()}, '')`), `text${f}`);
  }
  // A nested statement: its fields are those of the filters.
  const selected = selectsAllRows(query, query.intersect)
    ? "toUInt8(1)"
    : `toUInt8(digest IN ${selectedDigests(query, query.intersect, new TrialsSql(context, sql.parameters))})`;
  const stand = ["digest", "e", "started", "id", `${selected} AS selected`];
  const trials = tables.onShards(`SELECT ${[...stand, ...columns].join(", ")} FROM ${sql.from()}`);
  const given = columns.map((column) => column.slice(column.lastIndexOf(" ") + 1));
  const asked = ["digest", "e", "toFloat64(started) AS began", "selected", ...given].join(", ");
  return sql.parameters.statement(`SELECT ${asked} FROM ${trials} ORDER BY digest, e, started, id`);
}

/** A trial's score: whether it is a number (1), a boolean (2) or neither (0), and the number, else 0. */
function scoreOf(path: FieldPath, sql: TrialsSql): readonly [kind: Sql, number: Sql] {
  const value = sql.value(path);
  const kind = sql.compute(`if(${value.kind()} IN (${KIND.number}, ${KIND.boolean}), ${value.kind()}, 0)`);
  return [kind, sql.compute(`if(${kind} = 0, 0, ifNull(${value.number()}, 0))`)];
}

function tokensOf(tokens: Sql): readonly [kind: Sql, number: Sql] {
  return [`if(isNull(${tokens}), 0, ${KIND.number})`, `ifNull(${tokens}, 0)`];
}

/** The columns of an answer to `columnsStatement`. */
export function trialColumns(found: Columns, { measures, fields }: RequestedColumns): TrialColumns {
  // An answer without rows may have no columns.
  const textsOf = (name: string) => (found[name] ?? []) as readonly string[];
  const numbersOf = (name: string) => (found[name] ?? []) as readonly number[];
  const digestOf = textsOf("digest");
  const [places, selectedOf] = [numbersOf("e"), numbersOf("selected")];
  const rows = new Int32Array(digestOf.length);
  const digests: string[] = [];
  const selected: number[] = [];
  for (const [i, digest] of digestOf.entries()) {
    if (digest !== digests.at(-1)) {
      digests.push(digest);
      selected.push(selectedOf[i]!);
    }
    rows[i] = digests.length - 1;
  }
  return {
    rows,
    digests,
    selected: Uint8Array.from(selected),
    evaluations: Int32Array.from(places, (place) => place - 1),
    started: Float64Array.from(numbersOf("began"), (began) =>
      began > Number.MAX_SAFE_INTEGER ? Number.NaN : began,
    ),
    measures: measures.map((_, m) => {
      const kinds = numbersOf(`kind${m}`);
      const numbers = numbersOf(`number${m}`);
      return {
        numbers: Float64Array.from(numbers, (number, i) => (kinds[i] === 0 ? Number.NaN : number)),
        numeric: Uint8Array.from(kinds, (kind) => Number(kind === KIND.number)),
      };
    }),
    fields: fields.map((_, f) => {
      const texts = textsOf(`text${f}`);
      const numbers = numbersOf(`value${f}`);
      return numbersOf(`type${f}`).map((kind, i) => jsonOf(kind, numbers[i]!, texts[i]!));
    }),
  };
}

function jsonOf(kind: number, number: number, text: string): Json {
  switch (kind) {
    case KIND.null:
      return null;
    case KIND.number:
      return number;
    case KIND.boolean:
      return number === 1;
    case KIND.text:
      return text;
    default:
      return parseJson(text);
  }
}
