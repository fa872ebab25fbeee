// What a value comes as, when it is to be kept as text: making a value of an output, to write it out again, would cost more
// than all else that is kept of its trial.

import type { Json } from "@assay/base";
import type { LineCall } from "@assay/calls/internal";

/** A value, or the call from a line that has it as its output. */
export type PayloadItem = Json | LineCall;
