// A chat message's content as the text that it is, when it is nothing else.

import type { Json } from "@assay/base";
import { at } from "../json-text.ts";

/** The content: its text when it is one, or parts that are all texts; else as it is. */
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
