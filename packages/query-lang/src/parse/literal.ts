// Constants: plain JSON, where `{ "$literal": x }` stands for `x`.

import type { Json } from "@assay/base";
import { LIMITS } from "../expression/limits.ts";
import { described } from "./message-text.ts";
import { entriesOf, type OperandReader, type OperandType } from "./operand-types.ts";
import { deeper, inside, type ReadPosition } from "./read-position.ts";

/** A constant. Every value inside an array or an object counts as a node, one level deeper. */
export const literal: OperandType<Json> = {
  read,
  schema: {
    description: "Any JSON value. An object whose only key is `$literal` stands for the value of that key.",
  },
};

function read(raw: unknown, at: ReadPosition, reader: OperandReader): Json | undefined {
  switch (typeof raw) {
    case "boolean":
      return raw;
    case "number":
      return Number.isFinite(raw)
        ? raw
        : reader.fault("value_error", at, "a number must be in the range of a 64-bit float");
    case "string":
      return raw.length <= LIMITS.textLength
        ? raw
        : reader.fault(
            "value_error",
            at,
            `a literal string may have at most ${LIMITS.textLength} characters`,
          );
    case "object":
      if (raw === null) return null;
      return Array.isArray(raw) ? readArray(raw, at, reader) : readObject(entriesOf(raw)!, at, reader);
    default:
      return reader.fault("value_error", at, `expected a JSON value, not ${described(raw)}`);
  }
}

function readArray(raw: readonly unknown[], at: ReadPosition, reader: OperandReader): Json | undefined {
  if (!reader.enter(deeper(at), raw.length)) return undefined;
  const items = Array.from(raw, (item, i) => read(item, inside(deeper(at), i), reader));
  return items.every((item) => item !== undefined) ? items : undefined;
}

function readObject(
  raw: readonly [string, unknown][],
  at: ReadPosition,
  reader: OperandReader,
): Json | undefined {
  if (!reader.enter(deeper(at), raw.length)) return undefined;
  const entries = raw.map(([key, value]) => [key, read(value, inside(deeper(at), key), reader)] as const);
  if (entries.some(([, value]) => value === undefined)) return undefined;
  if (entries.length === 1 && entries[0]![0] === "$literal") return entries[0]![1]!;
  // Defines own properties for all keys: unlike assignment, `fromEntries` defines `__proto__` too.
  return Object.fromEntries(entries) as Json;
}
