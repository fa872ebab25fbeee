// A request for embeddings (`POST /v1/embeddings`), with the names of its wire format. Unknown fields are passed on
// unchanged.

import type { Result } from "@assay/base";
import { type Check, type FieldChecks, isInteger, isText, readRequest } from "./request-fields.ts";
import { checkTexts, type Prompt } from "./text-request.ts";

/**
 * A request for the vectors of texts. It names only the fields used here; all others are passed on unchanged. `null`
 * means the same as leaving a field out.
 */
export interface EmbeddingRequest {
  /** A catalogue id. */
  readonly model: string;
  /** A text, its tokens, or a list of either. */
  readonly input: Prompt;
  /** Must be false: embeddings are not streamed. */
  readonly stream?: false | null;
  /** The client's name for the end user; usage can be reported by it. */
  readonly user?: string | null;
  /** For the engine. */
  readonly [field: string]: unknown;
}

const isEncoding: Check = (value) =>
  value === "float" || value === "base64" ? undefined : 'must be "float" or "base64"';

const isOff: Check = (value) => (value === false ? undefined : "must be false: embeddings are not streamed");

const FIELDS: FieldChecks = [
  ["stream", isOff],
  ["encoding_format", isEncoding],
  ["dimensions", isInteger(1)],
  ["user", isText],
];

/** The request in `raw`, or all of its issues, as in `readChatRequest`. */
export function readEmbeddingRequest(raw: unknown): Result<EmbeddingRequest> {
  return readRequest(raw, FIELDS, (fields, note) => checkTexts(fields, "input", note));
}
