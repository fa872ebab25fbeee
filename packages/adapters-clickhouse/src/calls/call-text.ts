// Converts between calls and their texts, which are stored as received.

import { createHash } from "node:crypto";
import { Fault } from "@assay/base";
import { type Call, readCallLine } from "@assay/calls";

/** The call in a text, in its current state. Throws a `corrupt` fault if it is invalid. */
export function callOf(id: string, text: string, deletedAt: string | null): Call {
  const call = readCallLine(text);
  if (!call.ok) throw new Fault("corrupt", `the stored call ${JSON.stringify(id)} is not a call`);
  return call.value.deleted_at === deletedAt ? call.value : { ...call.value, deleted_at: deletedAt };
}

/** Equal for equal texts only. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
