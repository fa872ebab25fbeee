// A request to continue texts, in the words of its wire format (`POST /v1/completions`). What is not known here is passed
// on as it came.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { type Fields, isJsonObject } from "@assay/base/internal";
import type { StreamOptions } from "../chat-request.ts";
import {
  type FieldChecks,
  given,
  isBoolean,
  isInteger,
  isText,
  type Note,
  noteFields,
  noteIn,
  noteModel,
  SAMPLING_FIELDS,
} from "../request-fields.ts";

/**
 * A request to continue one text or several. Only the fields that are acted on here are named; all others are passed on
 * untouched. `null` means the same as leaving a field out.
 */
export interface TextRequest {
  /** A catalogue id, or the name of a trained model. */
  readonly model: string;
  /** A text, its tokens, or a list of either. */
  readonly prompt: Prompt;
  /** How many continuations to make of each text. Default 1. */
  readonly n?: number | null;
  /** How many continuations to make, of which the `n` likeliest are sent. Default `n`. */
  readonly best_of?: number | null;
  /** Whether the client wants chunks as they come. Default false. */
  readonly stream?: boolean | null;
  /** Of no meaning without `stream`. */
  readonly stream_options?: StreamOptions | null;
  /** The end user, in the client's words; usage can be reported by it. */
  readonly user?: string | null;
  /** For the engine. */
  readonly [field: string]: unknown;
}

/** What is continued. */
export type Prompt = string | readonly string[] | readonly number[] | readonly (readonly number[])[];

/** Texts of one request: what the field's clients send at most. */
const MAX_TEXTS = 2048;

const FIELDS: FieldChecks = [
  ...SAMPLING_FIELDS,
  // Scoring a text asks for no more tokens, with `echo`.
  ["max_tokens", isInteger(0)],
  ["best_of", isInteger(1, 128)],
  ["echo", isBoolean],
  ["logprobs", isInteger(-1, 1000)],
  ["suffix", isText],
];

/** The request in `raw`, or everything that is wrong with it, as `readChatRequest` says it. */
export function readTextRequest(raw: unknown): Result<TextRequest> {
  if (!isJsonObject(raw)) return bad([{ code: "invalid", path: [], message: "a request must be an object" }]);
  const issues: Issue[] = [];
  const note = noteIn(issues);
  noteModel(raw, note);
  noteFields(raw, FIELDS, note);
  noteTexts(raw, "prompt", note);
  const [n, best] = [given(raw, "n") ?? 1, given(raw, "best_of")] as [number, number | undefined];
  if (best !== undefined && best < n) note(["best_of"], "must be at least n");
  if (best !== undefined && best > n && raw["stream"] === true)
    note(["best_of"], "cannot be streamed: the best answers are known only at the end");
  // Each field that is acted on was checked just now.
  return issues.length === 0 ? ok(raw as unknown as TextRequest) : bad(issues);
}

/** Notes what is wrong with the texts, or tokens of texts, in the field `name`, which must be there. */
export function noteTexts(raw: Fields, name: string, note: Note): void {
  const texts = given(raw, name);
  if (texts === undefined) {
    note([name], `${name} is required, as a text`, "missing");
    return;
  }
  if (typeof texts === "string") return;
  if (!Array.isArray(texts) || texts.length === 0) {
    note([name], "must be a text, a list of tokens, or a list of texts or of lists of tokens");
    return;
  }
  if (isTokens(texts)) return;
  if (texts.length > MAX_TEXTS) {
    note([name], `must be at most ${MAX_TEXTS} texts`);
    return;
  }
  const isOne = typeof texts[0] === "string" ? (one: unknown) => typeof one === "string" : isTokens;
  for (const [at, one] of texts.entries()) {
    if (isOne(one)) continue;
    if (!note([name, at], "must be of the same kind as the others: a text, or a list of tokens")) return;
  }
}

/** How many texts there are in a prompt or an input, and about how many tokens they have. */
export function measureTexts(texts: Prompt): { readonly texts: number; readonly tokens: number } {
  if (typeof texts === "string") return { texts: 1, tokens: tokensOf(texts) };
  if (isTokens(texts)) return { texts: 1, tokens: texts.length };
  const all = texts as readonly (string | readonly number[])[];
  return { texts: all.length, tokens: all.reduce((sum, text) => sum + tokensOf(text), 0) };
}

/** Characters of text in a token, about, in the tokenizers of today. */
const CHARACTERS_PER_TOKEN = 4;

function tokensOf(text: string | readonly number[]): number {
  return typeof text === "string" ? Math.ceil(text.length / CHARACTERS_PER_TOKEN) : text.length;
}

function isTokens(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((one) => Number.isSafeInteger(one) && one >= 0)
  );
}
