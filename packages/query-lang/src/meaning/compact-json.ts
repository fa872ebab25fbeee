// JSON as compact text. Data may be nested deeper than JSON.stringify can go.

import type { Json } from "@assay/base";

/** `value` as JSON without spaces, with keys in the object's order: the output of `JSON.stringify`, at any depth. */
export function compactJson(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return withoutRecursion(value);
    throw error;
  }
}

function withoutRecursion(value: Json): string {
  const written: string[] = [];
  // The rest to write, last first: values, or finished text.
  const left: ({ readonly value: Json } | string)[] = [{ value }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === "string") written.push(next);
    else if (typeof next.value !== "object" || next.value === null) written.push(JSON.stringify(next.value));
    else if (Array.isArray(next.value)) {
      const items = next.value as readonly Json[];
      left.push("]");
      for (let i = items.length - 1; i >= 0; i--) left.push({ value: items[i]! }, i > 0 ? "," : "");
      written.push("[");
    } else {
      const entries = Object.entries(next.value);
      left.push("}");
      for (let i = entries.length - 1; i >= 0; i--) {
        const [key, inner] = entries[i]!;
        left.push({ value: inner }, `${i > 0 ? "," : ""}${JSON.stringify(key)}:`);
      }
      written.push("{");
    }
  }
  return written.join("");
}
