// Reduces the content of a chat message to text if it contains nothing else.

import type { Json } from "@assay/base";
import { at } from "../json/json-text.ts";

/** The text of the content if it is one, or consists of text parts only; otherwise the content. */
export function contentText(content: Json): Json {
  if (!Array.isArray(content)) return content;
  const texts = (content as readonly Json[]).map((part) =>
    typeof part === "string"
      ? part
      : typeof at(part, "text") === "string"
        ? (at(part, "text") as string)
        : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts.join("") : content;
}
