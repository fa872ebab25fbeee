// Calls for tests, which say no more of one than matters.

import { jsonText } from "@assay/base";
import { type CallText, readCall } from "@assay/calls";
import type { Call } from "@assay/eval-engine";

/** A call as it is put; what it does not say is null. */
export function whole(call: Partial<Call> & { readonly id: string }): CallText {
  const read = readCall(call);
  if (!read.ok) throw new TypeError(read.issues[0]!.message);
  return { call: read.value, text: jsonText(read.value) };
}
