// Authentication with the keys of a key store: many keys, each for its own entities and projects.

import { type ApiKey, findApiKey, type KeyStore } from "@assay/inference-core";
import { type KeyScope, keyAllows } from "@assay/inference-core/internal";
import type { Authenticate } from "../request/principal.ts";
import { credential } from "./auth.ts";

/**
 * Requires a key of `keys`, as `Bearer KEY` or as `Basic` with user `api`. Its holders may use what its scopes cover.
 * `now` is in milliseconds since 1970.
 */
export function storedKeyAuthentication(keys: KeyStore, now: () => number): Authenticate {
  return async (request) => {
    const secret = credential(request.headers.get("authorization"));
    const key = secret === undefined ? undefined : await findApiKey(keys, secret, now());
    if (key === undefined) return undefined;
    const allows = (entity: string, project: string) => keyAllows(key, entity, project);
    return { id: key.id, home: homeOf(key), allows, ...(key.verbs !== undefined && { verbs: key.verbs }) };
  };
}

/** The only project that a key is for. */
function homeOf({ scopes: [only, ...others] }: ApiKey): KeyScope | undefined {
  const isOne = only !== undefined && others.length === 0 && only.entity !== "*" && only.project !== "*";
  return isOne ? only : undefined;
}
