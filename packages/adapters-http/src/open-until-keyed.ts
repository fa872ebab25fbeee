// A server without a key of its own: open to its machine until the first key is made, and never again.

import type { KeyStore } from "@assay/inference-core";
import { loopbackAuthentication } from "./auth.ts";
import { storedKeyAuthentication } from "./inference/stored-keys.ts";
import type { Authenticate } from "./principal.ts";

/** Who may use a server that may have no key. */
export interface OpenUntilKeyed {
  /** Finds who is asking. */
  readonly authenticate: Authenticate;
  /** Whether no key is asked for, as things are now: for `createHandler`. */
  readonly keyless: () => Promise<boolean>;
}

/**
 * Lets in everyone on this machine for as long as `keys` has never had a key, whatever key they send: there is none to
 * check it against, and some clients must send one. From the first key on it asks for one of them. An expired or
 * revoked key counts too, so that a server does not fall open when its last key ends. `now` is milliseconds since 1970.
 */
export function openUntilKeyed(keys: KeyStore, now: () => number): OpenUntilKeyed {
  const keyless = async () => (await keys.list(1)).length === 0;
  const [open, stored] = [loopbackAuthentication(), storedKeyAuthentication(keys, now)];
  return {
    keyless,
    authenticate: async (request) => ((await keyless()) ? open(request) : stored(request)),
  };
}
