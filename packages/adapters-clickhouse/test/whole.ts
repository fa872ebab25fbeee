// Calls for tests, with only the fields that matter.

import { jsonText } from "@assay/base";
import { type CallText, readCall } from "@assay/calls";
import type { Call } from "@assay/eval-engine";

/** A call in the form in which it is put. Missing fields are null. */
export function whole(call: Partial<Call> & { readonly id: string }): CallText {
  const read = readCall(call);
  if (!read.ok) throw new TypeError(read.issues[0]!.message);
  return { call: read.value, text: jsonText(read.value) };
}
