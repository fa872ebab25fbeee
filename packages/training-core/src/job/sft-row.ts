// SftRow: one line of supervised training data, in the form of the wire.

import type { Json } from "@assay/base";
import type { Message } from "./trajectory.ts";

/** A conversation that ends with an assistant's message. Only what assistants say is trained on. */
export interface SftRow {
  /** The conversation, in order. */
  readonly messages: readonly Message[];
  /** The tools that were offered. */
  readonly tools?: readonly Json[] | null;
}
