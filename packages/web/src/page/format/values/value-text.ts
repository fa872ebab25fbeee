// Values for table cells: texts unchanged, objects as their parts, on as few lines as possible.

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

/** A note on how much of texts is shown, if they are cut: texts that are equal so far may differ later. */
export function cutNote(texts: readonly string[], most: number): string | undefined {
  const longest = Math.max(...texts.map(({ length }) => length));
  if (longest <= most) return undefined;
  const [shown, all] = [most, longest].map((count) => count.toLocaleString("en"));
  return `Only the first ${shown} of ${all} characters are shown${texts.length > 1 ? " and compared" : ""}.`;
}
