// The source of a value that is kept as text: parsing an output to print it again would cost more than everything else
// about its trial.

import type { Json } from "@assay/base";
import type { LineCall } from "@assay/calls/internal";

/** A value, or the call from a line that has it as its output. */
export type PayloadItem = Json | LineCall;
