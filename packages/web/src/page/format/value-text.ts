// Values as a cell shows them: text as it is, an object as its parts, all on as few lines as they need.

import type { Json } from "@assay/base";

/** A value on one line: `value: 0.083, unit: J`. */
export function valueText(value: Json): string {
  if (typeof value === "string") return value;
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return JSON.stringify(value);
  const parts = Object.entries(value);
  return parts.length === 0
    ? "{}"
    : parts.map(([key, part]) => `${key}: ${innerText(part as Json)}`).join(", ");
}

function innerText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
