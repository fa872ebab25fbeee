// Shared parts of the evaluation runs interface: stores, project, clock and IDs of every request, and the attributes
// that mark its calls.

import { bad, type Json, type JsonObject, ok, type Result } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { TraceStores } from "../ports/stores.ts";
import type { TraceCall } from "../ports/trace-call.ts";

/** The dependencies of logging without an SDK. */
export interface RunLogging {
  /** Where to log. */
  readonly stores: TraceStores;
  /** `entity/project`. */
  readonly project: string;
  /** The time, ISO 8601. */
  readonly now: () => string;
  /** A unique ID. If a request is repeated with the same key, the same IDs in the same order. */
  readonly newId: () => string;
  /** The principal who logs. */
  readonly user: string;
}

/** The attributes of a call under `weave`; empty without any. */
export function marksOf(call: TraceCall): JsonObject {
  const attributes = isJsonObject(call.attributes) ? call.attributes : {};
  return isJsonObject(attributes["weave"]) ? attributes["weave"] : {};
}

/** The text of a member of an object; undefined if it is not a text. */
export function textMember(value: Json, key: string): string | undefined {
  const member = isJsonObject(value) ? value[key] : undefined;
  return typeof member === "string" && member !== "" ? member : undefined;
}

/** The name in a reference: `exact` for `weave:///acme/demo/object/exact:v1`. A bare name stays unchanged. */
export function nameIn(ref: string): string {
  if (!ref.includes(":///")) return ref;
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  const version = name.lastIndexOf(":");
  return version <= 0 ? name : name.slice(0, version);
}

/** The issue of a request whose key was used for another one. */
export function reusedKeyIssue(): Result<never> {
  const message = "this idempotency key was used for another request";
  return bad([{ code: "idempotency_key", path: [], message }]);
}

/** The issue of a request that refers to something that does not exist. */
export function notFoundIssue(what: string, id: string): Result<never> {
  const message = `there is no ${what} ${JSON.stringify(id.slice(0, 100))}`;
  return bad([{ code: "not_found", path: [], message }]);
}

/** The call with this ID, or the issue that it does not exist. */
export async function findCall(
  { stores, project }: Pick<RunLogging, "stores" | "project">,
  what: string,
  id: string,
): Promise<Result<TraceCall>> {
  const [call] = await stores.calls.get(project, [id]);
  return call?.started_at == null ? notFoundIssue(what, id) : ok(call);
}
