// Calls as text: what is kept of them is what came.

import { createHash } from "node:crypto";
import { Fault } from "@assay/base";
import { type Call, readCallLine } from "@assay/eval-engine";

/** A call, and the JSON text that says it: what is kept, unknown keys and all. */
export interface CallText {
  /** What the text says. Of its payload (`inputs`, `output`, …) nothing but the text is kept. */
  readonly call: Call;
  /** One JSON object, as text or as its UTF-8 bytes. */
  readonly text: string | Uint8Array;
}

/** What becomes of a call that is there when another piece of it comes. */
export type JoinCalls = (known: CallText, piece: CallText) => CallText;

/** The call that a text says, as it is now. Throws a `corrupt` fault when it says none. */
export function callOf(id: string, text: string, deletedAt: string | null): Call {
  const call = readCallLine(text);
  if (!call.ok) throw new Fault("corrupt", `what is kept of the call ${JSON.stringify(id)} is no call`);
  return call.value.deleted_at === deletedAt ? call.value : { ...call.value, deleted_at: deletedAt };
}

/** A text as a string. */
export function textOf(text: string | Uint8Array): string {
  return typeof text === "string" ? text : Buffer.from(text.buffer, text.byteOffset, text.length).toString();
}

/** The same for equal texts, and for no others. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
