// API keys over HTTP, an extension of the interface: for keys with access to everything.

import type { Issue } from "@assay/base";
import { type ApiKey, createApiKey, KEY_BYTES, type KeyStore } from "@assay/inference-core";
import { KEY_VERBS, type KeyRequest, printKeyScope, readKeyRequest } from "@assay/inference-core/internal";
import { refusedUnlessAdmin } from "../auth/require-admin.ts";
import { failed, forbidden, invalid, unauthenticated, unread } from "../inference/problem.ts";
import { readJsonBody } from "../request/body.ts";
import type { Authenticate } from "../request/principal.ts";
import { type Answer, type RouteRequest, routesOf } from "../routing/operation.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import { OPERATIONS, SCHEMAS } from "./operations.ts";

/** Options of the key routes. */
export interface KeyRoutesOptions {
  /** The store of keys. */
  readonly keys: KeyStore;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /**
   * Whether no key is required yet: the first key must then have access to everything, or no one could create another.
   * Default: never.
   */
  readonly keyless?: (() => Promise<boolean>) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with every failure of the service. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const MAX_BYTES = 64 * 1024;
const PAGE = 1000;

/** `POST`, `GET` and `DELETE /v1/keys`. A key's text is only shown when it is created; its hash never is. */
export function keyRoutes(options: KeyRoutesOptions): RouteGroup {
  const { keys, authenticate, now, keyless = async () => false, onError = () => {} } = options;
  const managing =
    (act: (asked: RouteRequest) => Promise<Response>): Answer =>
    async (asked) => {
      try {
        const principal = await authenticate(asked.request);
        if (principal === undefined) return unauthenticated();
        // A key that can create keys can create one with access to everything.
        const refused = refusedUnlessAdmin(principal, "manage keys");
        if (refused !== undefined) return forbidden(refused);
        return await act(asked);
      } catch (error) {
        onError(error);
        return failed(error);
      }
    };

  const handlers = {
    create_key: managing(async ({ request }) => {
      const body = await readJsonBody(request, { maxBytes: MAX_BYTES });
      if (!body.ok) return unread(body.refusal.status, body.refusal.message);
      const read = readKeyRequest(body.value, now());
      if (!read.ok) return invalid(read.issues, "body");
      // After the first key was created, keys are required: with a narrow one, no one could create another.
      if (await keyless()) {
        const wrong = firstKeyIssue(read.value);
        if (wrong !== undefined) return invalid([wrong], "body");
      }
      for (;;) {
        const random = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
        const { secret, key } = createApiKey(random, { ...read.value, now: now() });
        // An ID has 40 random bits: collisions are extremely rare.
        if (await keys.add(key)) return Response.json({ ...view(key), key: secret });
      }
    }),

    list_keys: managing(async ({ query }) => {
      const after = query.get("after") ?? undefined;
      const page = await keys.list(PAGE, after);
      return Response.json({ object: "list", data: page.map(view), has_more: page.length === PAGE });
    }),

    revoke_key: managing(async ({ param }) => {
      const id = param("id");
      await keys.revoke(id, now());
      const key = await keys.get(id);
      return key === undefined ? unread(404, "no key has this id") : Response.json(view(key));
    }),
  };
  return { routes: routesOf(OPERATIONS, handlers), schemas: () => SCHEMAS };
}

/** Why a first key is invalid, if no second one could be created with it. */
function firstKeyIssue({ scopes, verbs = KEY_VERBS }: KeyRequest): Issue | undefined {
  const whole = verbs.length === KEY_VERBS.length;
  if (whole && scopes.some((scope) => printKeyScope(scope) === "*")) return undefined;
  const message =
    'the first key must be one for everything ("*", without "can"): from then on this server requires a key, and no other key may manage keys';
  return { code: "first_key", path: [whole ? "scopes" : "can"], message };
}

/** The visible part of a key. Times are in seconds since 1970. */
function view({ id, name, scopes, verbs = KEY_VERBS, createdAt, expiresAt, revokedAt }: ApiKey) {
  const seconds = (at: number | undefined) => (at === undefined ? null : Math.floor(at / 1000));
  return {
    id,
    object: "key",
    name,
    scopes: scopes.map(printKeyScope),
    can: verbs,
    created_at: seconds(createdAt),
    expires_at: seconds(expiresAt),
    revoked_at: seconds(revokedAt),
  };
}
