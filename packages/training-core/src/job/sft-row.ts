// SftRow: one line of supervised training data in wire format.

import type { Json } from "@assay/base";
import type { Message } from "./trajectory.ts";

/**
 * A conversation that ends with an assistant's message. Only the assistant's messages are trained on, except those
 * with `weight: 0`, as in OpenAI's format.
 */
export interface SftRow {
  /** The conversation, in order. */
  readonly messages: readonly (Message & { readonly weight?: 0 | 1 | null })[];
  /** The available tools. */
  readonly tools?: readonly Json[] | null;
}
