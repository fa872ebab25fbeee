// Reads the request for a new key, and the short form of scopes that people write.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { isJsonObject, isPathName } from "@assay/base/internal";
import { KEY_VERBS, type KeyScope, type KeyVerb } from "./api-key.ts";

/** A request for a key. */
export interface KeyRequest {
  /** Its owner's name for it. */
  readonly name: string;
  /** Where it is valid; at least one scope. */
  readonly scopes: readonly KeyScope[];
  /** What it may be used for; at least one verb. Absent: everything. */
  readonly verbs?: readonly KeyVerb[];
  /** When it expires, in milliseconds since 1970. Absent: never, unless it is revoked. */
  readonly expiresAt?: number;
}

const NAME = /^[^\p{Cc}]{1,128}$/u;
const MAX_SCOPES = 100;
/** The most unknown fields to report. */
const MOST_UNKNOWN = 20;

/**
 * Reads `{ name, scopes: ["team/demo", "team/*", "*"], can: ["read", "chat"], expires_at }`. The last two are
 * optional; `expires_at` is in seconds since 1970 and must be after `now` (milliseconds since 1970). Issue codes:
 * `missing`, `invalid` and `unknown` (for other fields).
 */
export function readKeyRequest(raw: unknown, now: number): Result<KeyRequest> {
  if (!isJsonObject(raw)) return bad([{ code: "invalid", path: [], message: "a request must be an object" }]);
  const { name, scopes, can, expires_at: expires, ...others } = raw;
  const issues: Issue[] = Object.keys(others)
    .slice(0, MOST_UNKNOWN)
    .map((field) => ({
      code: "unknown",
      path: [field],
      message: "unknown field",
    }));
  if (typeof name !== "string" || !NAME.test(name)) {
    const code = name === undefined ? "missing" : "invalid";
    issues.push({ code, path: ["name"], message: "must be a name of at most 128 characters" });
  }
  if (!Array.isArray(scopes) || scopes.length === 0 || scopes.length > MAX_SCOPES) {
    const code = scopes === undefined ? "missing" : "invalid";
    issues.push({ code, path: ["scopes"], message: `must be a list of 1 to ${MAX_SCOPES} scopes` });
  }
  const read = (Array.isArray(scopes) && scopes.length <= MAX_SCOPES ? scopes : []).flatMap(
    (text: unknown, at) => {
      const scope = typeof text === "string" ? readKeyScope(text) : undefined;
      if (scope === undefined)
        issues.push({
          code: "invalid",
          path: ["scopes", at],
          message: 'must be "entity/project", "entity/*" or "*"',
        });
      return scope ?? [];
    },
  );
  const verbs = KEY_VERBS.filter((verb) => Array.isArray(can) && can.includes(verb));
  if (can != null && (!Array.isArray(can) || can.length === 0 || verbs.length !== new Set(can).size))
    issues.push({
      code: "invalid",
      path: ["can"],
      message: `must be a list of any of ${KEY_VERBS.join(", ")}`,
    });
  const expiresAt = typeof expires === "number" ? expires * 1000 : undefined;
  if (expires !== undefined && expires !== null && !(Number.isSafeInteger(expiresAt) && expiresAt! > now))
    issues.push({
      code: "invalid",
      path: ["expires_at"],
      message: "must be a future time, in seconds since 1970",
    });
  if (issues.length > 0) return bad(issues);
  return ok({
    name: String(name),
    scopes: read,
    ...(can != null && { verbs }),
    ...(expiresAt !== undefined && { expiresAt }),
  });
}

/** Reads `entity/project`, where each may be `*`; a single `*` means both. Undefined for anything else. */
export function readKeyScope(text: string): KeyScope | undefined {
  if (text === "*") return { entity: "*", project: "*" };
  const [entity = "", project = "", ...more] = text.split("/");
  // The same project name in every entity would include projects that others create later.
  const fine =
    isPathName(entity) && isPathName(project) && more.length === 0 && (entity !== "*" || project === "*");
  return fine ? { entity, project } : undefined;
}

/** A scope in the form that `readKeyScope` reads. */
export function printKeyScope({ entity, project }: KeyScope): string {
  return entity === "*" && project === "*" ? "*" : `${entity}/${project}`;
}
