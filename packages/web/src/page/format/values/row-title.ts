// What the fields of a row are to a reader: what was asked, which output was expected, and the rest.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import { conversationOf, lastText } from "./conversation.ts";
import { valueText } from "./value-text.ts";

const ASKED = ["question", "prompt", "instruction", "query", "problem", "input", "text", "task", "message"];

const EXPECTED = ["expected", "target", "reference", "ideal", "ground_truth", "gold", "answer"];

/** The title of a row and its other fields, each on one line. */
export function rowTitle(value: Json): { readonly title: string; readonly rest: string } {
  const [key, title] = askedIn(value) ?? [];
  if (title === undefined) return { title: valueText(value), rest: "" };
  const rest = isJsonObject(value) ? Object.entries(value).filter(([name]) => name !== key) : [];
  return { title, rest: rest.length === 0 ? "" : valueText(Object.fromEntries(rest) as Json) };
}

/** What the row asks a model; undefined if it has no text. */
export function askedText(value: Json): string | undefined {
  return askedIn(value)?.[1];
}

/** The expected output of a row; undefined if none of its fields is called so. */
export function expectedOutput(value: Json): Json | undefined {
  if (!isJsonObject(value)) return undefined;
  const fields = Object.entries(value);
  const found = EXPECTED.map((name) => fields.find(([key]) => key.toLowerCase().startsWith(name)));
  return found.find((entry) => entry !== undefined)?.[1];
}

/** The field with what was asked, and its text; the field is undefined if the whole row is asked. */
function askedIn(value: Json): readonly [string | undefined, string] | undefined {
  if (typeof value === "string") return [undefined, value];
  if (!isJsonObject(value)) {
    const text = textOf(value);
    return text === undefined ? undefined : [undefined, text];
  }
  const texts = Object.entries(value).flatMap(([key, part]) => {
    const text = textOf(part as Json);
    return text === undefined ? [] : [[key, text] as const];
  });
  const asked = ASKED.map((name) => texts.find(([key]) => key.toLowerCase().includes(name)));
  return asked.find((entry) => entry !== undefined) ?? texts[0];
}

/** A text, or the last message of a conversation's user. */
function textOf(part: Json): string | undefined {
  if (typeof part === "string") return part;
  const conversation = conversationOf(part);
  return conversation && lastText(conversation, "user");
}
