// Values of the query language in SQL. A value is several readings instead of one expression: the language always
// defines how to read a value, and each reading here equals that of `query-lang/src/meaning/value.ts`.

import { asNumber, type Json } from "@assay/query-lang";
import { asBoolean, asText } from "@assay/query-lang/internal";
import { equalityHash } from "../columns/json-paths.ts";
import type { Parameters, Sql } from "./statement.ts";

/** The JSON type of a value, as a number in SQL. */
export const KIND = { null: 0, number: 1, boolean: 2, text: 3, object: 4, array: 5 } as const;

/** A value's readings. Each is an expression that is NULL if the reading is null. */
export interface SqlValue {
  /** The type of the value when it is not null; undefined if only the data knows. */
  readonly type: "number" | "boolean" | "text" | undefined;
  /** One of `KIND`; never NULL. */
  readonly kind: () => Sql;
  /** As a number: Nullable(Float64). */
  readonly number: () => Sql;
  /** As a boolean: Nullable(UInt8). */
  readonly boolean: () => Sql;
  /** As text: Nullable(String). */
  readonly text: () => Sql;
  /** For objects and arrays, a text that is equal for equal ones; otherwise an empty text. Never NULL. */
  readonly equality: () => Sql;
  /**
   * The source of the readings if it may be long. A caller that needs several readings computes it once, names it and
   * calls `named` for the same value over that name. Otherwise SQL would grow exponentially with nesting.
   */
  readonly base?: { readonly sql: Sql; readonly named: (name: Sql) => SqlValue };
}

export const UNKNOWN: Sql = "CAST(NULL, 'Nullable(UInt8)')";
const NO_NUMBER: Sql = "CAST(NULL, 'Nullable(Float64)')";
const NO_TEXT: Sql = "CAST(NULL, 'Nullable(String)')";

/** A literal: its readings are computed here and bound. */
export function literalValue(value: Json, parameters: Parameters): SqlValue {
  const [number, boolean, text] = [asNumber(value), asBoolean(value), asText(value)];
  return {
    type: undefined,
    kind: () => String(kindOf(value)),
    number: () => (number === null ? NO_NUMBER : `toNullable(${parameters.number(number)})`),
    boolean: () => (boolean === null ? UNKNOWN : `toNullable(${parameters.bind("UInt8", Number(boolean))})`),
    text: () => (text === null ? NO_TEXT : `toNullable(${parameters.text(text)})`),
    equality: () => parameters.text(typeof value === "object" && value !== null ? equalityHash(value) : ""),
  };
}

/**
 * A stored value (see json-paths.ts), by the names of three columns: `number` Nullable(Float64), `flag` Nullable(UInt8),
 * `text` String, which is empty unless the value is a text, object or array.
 */
export function storedValue({ number, flag, text }: StoredColumns): SqlValue {
  const kind = `multiIf(isNotNull(${number}), ${KIND.number}, isNotNull(${flag}), ${KIND.boolean}, ${text} = '', ${KIND.null}, startsWith(${text}, 'o'), ${KIND.object}, startsWith(${text}, 'a'), ${KIND.array}, ${KIND.text})`;
  return {
    type: undefined,
    kind: () => kind,
    number: () =>
      `multiIf(isNotNull(${number}), ${number}, isNotNull(${flag}), toFloat64(${flag}), startsWith(${text}, 'q'), reinterpretAsFloat64(unhex(substring(${text}, 2, 16))), ${NO_NUMBER})`,
    boolean: () =>
      `multiIf(isNotNull(${flag}), ${flag}, ${number} = 1 OR ${text} = 'strue', toNullable(toUInt8(1)), ${number} = 0 OR ${text} = 'sfalse', toNullable(toUInt8(0)), ${UNKNOWN})`,
    text: () =>
      `multiIf(isNotNull(${number}), ${numberText(number)}, isNotNull(${flag}), if(${flag} = 1, 'true', 'false'), ${text} = '', ${NO_TEXT}, startsWith(${text}, 's'), substring(${text}, 2), startsWith(${text}, 'q'), substring(${text}, 18), substring(${text}, 34))`,
    equality: () => `if(startsWith(${text}, 'o') OR startsWith(${text}, 'a'), substring(${text}, 2, 32), '')`,
  };
}

/** The columns of a stored value. */
export interface StoredColumns {
  readonly number: Sql;
  readonly flag: Sql;
  readonly text: Sql;
}

/** A condition, a Nullable(UInt8), as a value. */
export function truthValue(condition: Sql): SqlValue {
  return {
    type: "boolean",
    kind: () => `if(isNull(${condition}), ${KIND.null}, ${KIND.boolean})`,
    number: () => `toFloat64(${condition})`,
    boolean: () => condition,
    text: () => `CAST(CAST(${condition}, 'Nullable(Bool)'), 'Nullable(String)')`,
    equality: () => "''",
    base: { sql: condition, named: truthValue },
  };
}

/** A Nullable(Float64) as a value. */
export function numberValue(number: Sql): SqlValue {
  return {
    type: "number",
    kind: () => `if(isNull(${number}), ${KIND.null}, ${KIND.number})`,
    number: () => number,
    boolean: () =>
      letSql(
        "n",
        number,
        (n) => `multiIf(${n} = 1, toNullable(toUInt8(1)), ${n} = 0, toNullable(toUInt8(0)), ${UNKNOWN})`,
      ),
    text: () => numberText(number),
    equality: () => "''",
    base: { sql: number, named: numberValue },
  };
}

/** A text as a value. */
export function textValue(of: SqlValue): SqlValue {
  if (of.type === "text") return of;
  const { base } = of;
  return {
    type: "text",
    kind: () => `if(${of.kind()} = ${KIND.null}, ${KIND.null}, ${KIND.text})`,
    // The text of a number reads as that number again; that of anything else, as no number.
    number: () => {
      if (of.type === "number") return of.number();
      if (of.type === "boolean") return NO_NUMBER;
      return `if(${of.kind()} IN (${KIND.number}, ${KIND.text}), ${of.number()}, ${NO_NUMBER})`;
    },
    boolean: () => {
      if (of.type === "number") return UNKNOWN;
      if (of.type === "boolean") return of.boolean();
      return `if(${of.kind()} IN (${KIND.boolean}, ${KIND.text}), ${of.boolean()}, ${UNKNOWN})`;
    },
    text: () => of.text(),
    equality: () => "''",
    ...(base === undefined
      ? {}
      : { base: { sql: base.sql, named: (name: Sql) => textValue(base.named(name)) } }),
  };
}

/** `body` over a name for `value`, which is written and computed once. */
export function letSql(name: string, value: Sql, body: (name: Sql) => Sql): Sql {
  return `arrayElement(arrayMap(${name} -> ${body(name)}, [${value}]), 1)`;
}

/**
 * A number's text as JavaScript prints it. ClickHouse prints the same shortest digits and switches to exponents at the
 * same points, but omits the sign of a positive exponent.
 */
function numberText(number: Sql): Sql {
  return `replaceRegexpOne(toString(${number}), 'e([0-9])', 'e+\\\\1')`;
}

function kindOf(value: Json): number {
  if (value === null) return KIND.null;
  if (typeof value === "number") return KIND.number;
  if (typeof value === "boolean") return KIND.boolean;
  if (typeof value === "string") return KIND.text;
  return Array.isArray(value) ? KIND.array : KIND.object;
}
