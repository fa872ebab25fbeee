// Reads error fields: tools have many ways to state that there was no error.

import type { Json } from "@assay/base";
import { isObject, type JsonObject, textAt } from "../json/json-text.ts";
import { isMissing, knownWord } from "./score-words.ts";

/** The error text for a field that only states that an error occurred. */
const UNNAMED = "an error without a message";

/** The error in a field; undefined if the field states that there was none: missing, `None`, `false`, `{}`, `[]`. */
export function errorText(field: Json | undefined): string | undefined {
  if (field === undefined || field === null || field === false || field === 0) return undefined;
  if (field === true) return UNNAMED;
  if (typeof field === "string") return errorOfText(field);
  if (Array.isArray(field)) {
    const texts = field.flatMap((one: Json) => errorText(one) ?? []);
    return texts.length === 0 ? undefined : texts.join("\n");
  }
  if (!isObject(field)) return JSON.stringify(field);
  // OpenAI and others write an object with empty texts if there was no error.
  const values = Object.values(field);
  if (values.every((one) => errorText(one) === undefined)) return undefined;
  const inner = field["error"];
  return (
    textAt(field, "message") ??
    (isObject(inner) ? errorText(inner) : textAt(field, "error")) ??
    textAt(field, "code") ??
    JSON.stringify(field)
  );
}

/** The answer given next to an error: null if it is empty or states that there is none. */
export function answerWithError(error: string | undefined, answer: Json): Json {
  if (error === undefined) return answer;
  const isEmpty = typeof answer === "string" ? isMissing(answer) : isObject(answer) && isBlank(answer);
  return isEmpty || (Array.isArray(answer) && answer.length === 0) ? null : answer;
}

function isBlank(answer: JsonObject): boolean {
  return Object.values(answer).every((value) => value === null || value === "");
}

function errorOfText(text: string): string | undefined {
  const trimmed = text.trim();
  if (isMissing(trimmed) || /^0(?:\.0*)?$/.test(trimmed)) return undefined;
  if (/^(?:1(?:\.0*)?)$/.test(trimmed)) return UNNAMED;
  const word = knownWord(trimmed);
  if (word === undefined || trimmed.length === 1) return text;
  if (/^(?:true|yes|wahr|ja|oui|vrai|si|sí|sim)$/i.test(trimmed)) return UNNAMED;
  // `ok` and `passed` are not errors, nor is `false`; `failed` is one.
  return word.boolean === true || /^(?:false|no|falsch|nein|faux|non|falso|nao|não)$/i.test(trimmed)
    ? undefined
    : text;
}
