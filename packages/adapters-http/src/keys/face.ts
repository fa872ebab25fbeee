// API keys over HTTP, an extension of the interface: for keys with access to everything.

import type { Issue } from "@assay/base";
import { type ApiKey, createApiKey, KEY_BYTES, type KeyStore } from "@assay/inference-core";
import { KEY_VERBS, type KeyRequest, printKeyScope, readKeyRequest } from "@assay/inference-core/internal";
import { readJsonBody } from "../body.ts";
import type { Face } from "../face.ts";
import { refusedForEverything } from "../for-everything.ts";
import { failed, forbidden, invalid, unauthenticated, unread } from "../inference/problem.ts";
import { type Answer, type RouteRequest, routesOf } from "../operation.ts";
import type { Authenticate } from "../principal.ts";
import { OPERATIONS, SCHEMAS } from "./operations.ts";

/** What the face is made of. */
export interface KeysFaceOptions {
  /** Where keys are kept. */
  readonly keys: KeyStore;
  /** Finds who is asking. */
  readonly authenticate: Authenticate;
  /**
   * Whether no key is required yet: then the first key must have access to everything, or no one could make another.
   * Default: never.
   */
  readonly keyless?: (() => Promise<boolean>) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told of every failure of the service. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const MAX_BYTES = 64 * 1024;
const PAGE = 1000;

/** `POST`, `GET` and `DELETE /v1/keys`. A key is told once, when it is made; its hash never. */
export function keysFace(options: KeysFaceOptions): Face {
  const { keys, authenticate, now, keyless = async () => false, onError = () => {} } = options;
  const managing =
    (act: (asked: RouteRequest) => Promise<Response>): Answer =>
    async (asked) => {
      try {
        const principal = await authenticate(asked.request);
        if (principal === undefined) return unauthenticated();
        // A key that can make keys can make one with access to everything.
        const refused = refusedForEverything(principal, "manage keys");
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
      const wish = readKeyRequest(body.value, now());
      if (!wish.ok) return invalid(wish.issues, "body");
      // From the first key on, keys are required: after a narrow one, no one could make another.
      if (await keyless()) {
        const wrong = firstKeyIssue(wish.value);
        if (wrong !== undefined) return invalid([wrong], "body");
      }
      for (;;) {
        const random = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
        const { secret, key } = createApiKey(random, { ...wish.value, now: now() });
        // An id has 40 random bits: it is taken once in a blue moon.
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
      return key === undefined ? unread(404, "no such key") : Response.json(view(key));
    }),
  };
  return { routes: routesOf(OPERATIONS, handlers), schemas: () => SCHEMAS };
}

/** What is wrong with a first key that could not make a second one. */
function firstKeyIssue({ scopes, verbs = KEY_VERBS }: KeyRequest): Issue | undefined {
  const whole = verbs.length === KEY_VERBS.length;
  if (whole && scopes.some((scope) => printKeyScope(scope) === "*")) return undefined;
  const message =
    'the first key must be one for everything ("*", without "can"): from then on this server asks for a key, and no other may manage keys';
  return { code: "first_key", path: [whole ? "scopes" : "can"], message };
}

/** What may be seen of a key. Times are in seconds since 1970. */
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
