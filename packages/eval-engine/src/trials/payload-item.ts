// What a trial's output comes as, when it is to be kept as text: making a value of it, to write it out again, would cost
// more than all else that is kept of the trial.

import type { Json } from "@assay/base";
import type { LineCall } from "@assay/calls/internal";

/** A value as JSON text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value, the output of a call from a line, or JSON text. */
export type PayloadItem = Json | LineCall | JsonText;
