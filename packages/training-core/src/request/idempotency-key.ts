// Idempotency keys: repeating a request under the same key returns the earlier answer, without any effect.

import { bad, type Json, ok, type Result } from "@assay/base";
import type { Reply } from "../ports/training-store.ts";
import type { TrainingContext } from "../state/context.ts";

/** The identity of a request. */
export interface IdempotencyKey {
  /** The caller, the route and the key. */
  readonly key: string;
  /** SHA-256 of the request's body, lower-case hexadecimal. */
  readonly digest: string;
}

/** The reply that was given under this key; the issue `idempotency_key` if it was for another request. */
export async function previousReply(
  training: TrainingContext,
  once: IdempotencyKey | undefined,
): Promise<Result<Json> | undefined> {
  if (once === undefined) return undefined;
  const reply = await training.store.reply(once.key);
  if (reply === undefined || reply.expiresAt <= training.clock.now()) return undefined;
  if (reply.digest === once.digest) return ok(reply.body);
  const message = "this idempotency key was used for another request";
  return bad([{ code: "idempotency_key", path: [], message }]);
}

/** The part of a change that stores its reply under the key, for `replyMs`. */
export function storeReply(
  training: TrainingContext,
  once: IdempotencyKey | undefined,
  body: Json,
): { readonly reply?: Reply } {
  if (once === undefined) return {};
  return { reply: { ...once, body, expiresAt: training.clock.now() + training.policy.replyMs } };
}
