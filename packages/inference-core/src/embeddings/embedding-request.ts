// A request for embeddings, in the words of its wire format (`POST /v1/embeddings`). What is not known here is passed on.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import {
  type Check,
  type FieldChecks,
  isInteger,
  isText,
  noteFields,
  noteIn,
  noteModel,
} from "../request-fields.ts";
import { noteTexts, type Prompt } from "../text-completions/text-request.ts";

/**
 * A request for the vectors of texts. Only the fields that are acted on here are named; all others are passed on
 * untouched. `null` means the same as leaving a field out.
 */
export interface EmbeddingRequest {
  /** A catalogue id. */
  readonly model: string;
  /** A text, its tokens, or a list of either. */
  readonly input: Prompt;
  /** Embeddings come whole. */
  readonly stream?: false | null;
  /** The end user, in the client's words; usage can be reported by it. */
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

/** The request in `raw`, or everything that is wrong with it, as `readChatRequest` says it. */
export function readEmbeddingRequest(raw: unknown): Result<EmbeddingRequest> {
  if (!isJsonObject(raw)) return bad([{ code: "invalid", path: [], message: "a request must be an object" }]);
  const issues: Issue[] = [];
  const note = noteIn(issues);
  noteModel(raw, note);
  noteFields(raw, FIELDS, note);
  noteTexts(raw, "input", note);
  // Each field that is acted on was checked just now.
  return issues.length === 0 ? ok(raw as unknown as EmbeddingRequest) : bad(issues);
}
