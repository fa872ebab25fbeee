// SftRow: one line of supervised training data, in the form of the wire.

import type { Json } from "@assay/base";
import type { Message } from "./trajectory.ts";

/**
 * A conversation that ends with an assistant's message. Only what assistants say is trained on, and of that nothing whose
 * message has `weight: 0`, as OpenAI's format has it.
 */
export interface SftRow {
  /** The conversation, in order. */
  readonly messages: readonly (Message & { readonly weight?: 0 | 1 | null })[];
  /** The tools that were offered. */
  readonly tools?: readonly Json[] | null;
}
