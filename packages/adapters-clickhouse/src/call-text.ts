// Calls as text: what is kept of them is what came.

import { createHash } from "node:crypto";
import { Fault } from "@assay/base";
import { type Call, readCallLine } from "@assay/calls";

/** The call that a text says, as it is now. Throws a `corrupt` fault when it says none. */
export function callOf(id: string, text: string, deletedAt: string | null): Call {
  const call = readCallLine(text);
  if (!call.ok) throw new Fault("corrupt", `the stored call ${JSON.stringify(id)} is not a call`);
  return call.value.deleted_at === deletedAt ? call.value : { ...call.value, deleted_at: deletedAt };
}

/** The same for equal texts, and for no others. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
