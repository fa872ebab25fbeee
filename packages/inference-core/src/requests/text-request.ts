// A text completion request (`POST /v1/completions`), with the names of its wire format. Unknown fields are passed on
// unchanged.

import type { Result } from "@assay/base";
import type { Fields } from "@assay/base/internal";
import type { StreamOptions } from "./chat-request.ts";
import {
  type FieldChecks,
  fieldValue,
  isBoolean,
  isInteger,
  isText,
  type Note,
  readRequest,
  SAMPLING_FIELDS,
} from "./request-fields.ts";

/**
 * A request to continue one or several texts. It names only the fields used here; all others are passed on unchanged.
 * `null` means the same as leaving a field out.
 */
export interface TextRequest {
  /** A catalogue ID, or the name of a trained model. */
  readonly model: string;
  /** A text, its tokens, or a list of either. */
  readonly prompt: Prompt;
  /** How many continuations to generate for each text. Default 1. */
  readonly n?: number | null;
  /** How many continuations to generate, of which the `n` likeliest are sent. Default `n`. */
  readonly best_of?: number | null;
  /** Whether to stream the answer in chunks. Default false. */
  readonly stream?: boolean | null;
  /** Ignored without `stream`. */
  readonly stream_options?: StreamOptions | null;
  /** The client's name for the end user; usage can be reported by it. */
  readonly user?: string | null;
  /** For the engine. */
  readonly [field: string]: unknown;
}

/** The texts to continue. */
export type Prompt = string | readonly string[] | readonly number[] | readonly (readonly number[])[];

/** The most texts of one request, as many as clients commonly send. */
const MAX_TEXTS = 2048;

const FIELDS: FieldChecks = [
  ...SAMPLING_FIELDS,
  // Scoring a text requests no new tokens, with `echo`.
  ["max_tokens", isInteger(0)],
  ["best_of", isInteger(1, 128)],
  ["echo", isBoolean],
  ["logprobs", isInteger(-1, 1000)],
  ["suffix", isText],
];

/** The request in `raw`, or all of its issues, as in `readChatRequest`. */
export function readTextRequest(raw: unknown): Result<TextRequest> {
  return readRequest(raw, FIELDS, (fields, note) => {
    checkTexts(fields, "prompt", note);
    const [n, best] = [fieldValue(fields, "n") ?? 1, fieldValue(fields, "best_of")] as [
      number,
      number | undefined,
    ];
    if (best !== undefined && best < n) note(["best_of"], "must be at least n");
    if (best !== undefined && best > n && fields["stream"] === true)
      note(["best_of"], "cannot be streamed: the best answers are known only at the end");
  });
}

/** Checks the required texts, or tokens of texts, in the field `name`. */
export function checkTexts(raw: Fields, name: string, note: Note): void {
  const texts = fieldValue(raw, name);
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

/** The number of texts in a prompt or an input, and the approximate number of their tokens. */
export function measureTexts(texts: Prompt): { readonly texts: number; readonly tokens: number } {
  if (typeof texts === "string") return { texts: 1, tokens: tokensOf(texts) };
  if (isTokens(texts)) return { texts: 1, tokens: texts.length };
  const all = texts as readonly (string | readonly number[])[];
  return { texts: all.length, tokens: all.reduce((sum, text) => sum + tokensOf(text), 0) };
}

/** Approximate characters per token in today's tokenizers. */
const CHARACTERS_PER_TOKEN = 4;

function tokensOf(text: string | readonly number[]): number {
  return typeof text === "string" ? Math.ceil(text.length / CHARACTERS_PER_TOKEN) : text.length;
}

function isTokens(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((one) => Number.isSafeInteger(one) && one >= 0)
  );
}
