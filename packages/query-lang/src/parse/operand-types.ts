// The shapes of an operator's argument. A shape reads unknown data and describes the accepted data as JSON Schema, so
// that validation and the published schema agree. Shapes nest only through the reader, which limits the depth.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { Expr, FieldPath } from "../expression/expr.ts";
import { readFieldPath } from "../expression/field-path.ts";
import { LIMITS } from "../expression/limits.ts";
import { described, listed } from "./message-text.ts";
import { deeper, inside, type ReadPosition } from "./read-position.ts";

/** The codes of a query's issues, named like the error types of pydantic. */
type QueryIssueCode =
  | "missing"
  | "extra_forbidden"
  | "bool_type"
  | "string_type"
  | "list_type"
  | "dict_type"
  | "literal_error"
  | "too_short"
  | "too_long"
  | "value_error";

/** A JSON Schema, draft 2020-12, as in OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: Json };

/** The state of reading one query, for its shapes. */
export interface OperandReader {
  /** Reports an issue. Returns undefined, the result of a shape that cannot read. */
  readonly fault: (code: QueryIssueCode, at: ReadPosition, message: string) => undefined;
  /** Counts nodes. Reports and returns false if there are too many or they nest too deep. */
  readonly enter: (at: ReadPosition, nodes: number) => boolean;
  /** Reads an operand, which counts as `nodes`. */
  readonly operand: (raw: unknown, at: ReadPosition, nodes: number) => Expr | undefined;
  /** Why a field is not allowed; undefined if it is. */
  readonly field: (path: FieldPath, text: string) => string | undefined;
}

/** The shape of an argument. */
export interface OperandType<T> {
  /** The argument; undefined if it was invalid, which was reported to `reader`. */
  readonly read: (raw: unknown, at: ReadPosition, reader: OperandReader) => T | undefined;
  /** The shape as JSON Schema. */
  readonly schema: JsonSchema;
}

/** The own keys and values of an object; undefined for anything else. */
export function entriesOf(raw: unknown): readonly [string, unknown][] | undefined {
  return isJsonObject(raw) ? Object.entries(raw).filter(([, value]) => value !== undefined) : undefined;
}

/** A nested operation, one level deeper. */
export const operand: OperandType<Expr> = {
  read: (raw, at, reader) => reader.operand(raw, deeper(at), 1),
  schema: { $ref: "#/components/schemas/Operand" },
};

/** An operand in the list of `$in`. Scalar literals do not count as nodes, because the list has its own limit. */
export const member: OperandType<Expr> = {
  read: (raw, at, reader) => reader.operand(raw, deeper(at), isScalarLiteral(raw) ? 0 : 1),
  schema: operand.schema,
};

/** A list of `min` to `max` items. Of a longer list, only the first `max` are read. */
export function listOf<T>(item: OperandType<T>, min: number, max: number): OperandType<readonly T[]> {
  return {
    read: (raw, at, reader) => {
      const list = listWithin(raw, at, reader, min, max);
      const items = list?.items.map((one, i) => item.read(one, inside(at, i), reader));
      return list?.fits && items?.every((one) => one !== undefined) ? items : undefined;
    },
    schema: { type: "array", items: item.schema, minItems: min, maxItems: max },
  };
}

/** A list of two items with different shapes. */
export function pair<A, B>(first: OperandType<A>, second: OperandType<B>): OperandType<readonly [A, B]> {
  const shapes: readonly OperandType<A | B>[] = [first, second];
  return {
    read: (raw, at, reader) => {
      const list = listWithin(raw, at, reader, 2, 2);
      const items = list?.items.map((one, i) => shapes[i]?.read(one, inside(at, i), reader));
      return list?.fits && items?.every((one) => one !== undefined) ? (items as [A, B]) : undefined;
    },
    schema: { type: "array", prefixItems: [first.schema, second.schema], minItems: 2, maxItems: 2 },
  };
}

/** An object with exactly these keys. Those with a value in `otherwise` are optional. */
export function fields<T extends object>(
  shapes: { readonly [K in keyof T]: OperandType<T[K]> },
  otherwise: Partial<T> = {},
): OperandType<T> {
  const known: readonly [string, OperandType<unknown>][] = Object.entries(shapes);
  const names = known.map(([name]) => name);
  const keys = listed(names);
  const required = names.filter((name) => !Object.hasOwn(otherwise, name));
  return {
    read: (raw, at, reader) => {
      const given = entriesOf(raw);
      if (given === undefined) {
        return reader.fault("dict_type", at, `expected an object with ${keys}, not ${described(raw)}`);
      }
      const arguments_ = new Map(given);
      const extra = given.filter(([key]) => !names.includes(key));
      for (const [key] of extra) {
        reader.fault("extra_forbidden", inside(at, key), `unknown key; the keys here are ${keys}`);
      }
      const missing = required.filter((name) => !arguments_.has(name));
      for (const name of missing) reader.fault("missing", inside(at, name), `${name} is required`);
      const read = known
        .filter(([name]) => arguments_.has(name))
        .map(([name, shape]) => [name, shape.read(arguments_.get(name), inside(at, name), reader)] as const);
      const good =
        extra.length === 0 && missing.length === 0 && read.every(([, value]) => value !== undefined);
      return good ? ({ ...otherwise, ...Object.fromEntries(read) } as T) : undefined;
    },
    schema: {
      type: "object",
      properties: Object.fromEntries(known.map(([name, shape]) => [name, shape.schema])),
      required,
      additionalProperties: false,
    },
  };
}

/** One of these strings. */
export function oneOf<T extends string>(choices: readonly T[]): OperandType<T> {
  return {
    read: (raw, at, reader) =>
      choices.find((choice) => choice === raw) ??
      reader.fault("literal_error", at, `expected ${listed(choices)}, not ${described(raw)}`),
    schema: { type: "string", enum: choices },
  };
}

/** A boolean; null counts as false. */
export const flag: OperandType<boolean> = {
  read: (raw, at, reader) =>
    raw === null || typeof raw === "boolean"
      ? raw === true
      : reader.fault("bool_type", at, `expected true, false or null, not ${described(raw)}`),
  schema: { type: ["boolean", "null"], default: false },
};

/** The path of an allowed field, as text. */
export const fieldPath: OperandType<FieldPath> = {
  read: (raw, at, reader) => {
    if (typeof raw !== "string") {
      return reader.fault("string_type", at, `expected a field path (a string), not ${described(raw)}`);
    }
    const path = readFieldPath(raw);
    if (!path.ok) return reader.fault("value_error", at, path.issues[0]!.message);
    const refusal = reader.field(path.value, raw);
    return refusal === undefined ? path.value : reader.fault("value_error", at, refusal);
  },
  schema: { type: "string", minLength: 1, maxLength: LIMITS.textLength },
};

/** `raw` as a list, cut to the allowed length, and whether its length is valid. */
function listWithin(raw: unknown, at: ReadPosition, reader: OperandReader, min: number, max: number) {
  if (!Array.isArray(raw)) return reader.fault("list_type", at, `expected a list, not ${described(raw)}`);
  const fits = raw.length >= min && raw.length <= max;
  const wanted = min === max ? `exactly ${min}` : raw.length < min ? `at least ${min}` : `at most ${max}`;
  const code = raw.length < min ? "too_short" : "too_long";
  if (!fits) reader.fault(code, at, `expected a list of ${wanted}, not of ${raw.length}`);
  return { fits, items: Array.from<unknown>(raw.slice(0, max)) };
}

function isScalarLiteral(raw: unknown): boolean {
  if (typeof raw !== "object" || raw === null || !("$literal" in raw)) return false;
  return typeof raw.$literal !== "object" || raw.$literal === null;
}
