// A server without a configured key: open to programs on its machine until the first key is created, and never again.

import type { KeyStore } from "@assay/inference-core";
import type { Authenticate } from "../request/principal.ts";
import { loopbackAuthentication } from "./auth.ts";
import { storedKeyAuthentication } from "./stored-keys.ts";

/** Access to a server that may have no key. */
export interface BootstrapAccess {
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** Whether no key is currently required: for `createHandler`. */
  readonly keyless: () => Promise<boolean>;
}

/**
 * Accepts requests from this machine with any key or none as long as `keys` has never had a key: some clients must send
 * one, and there is none to check it against. After the first key was created, a valid one is required. Expired and
 * revoked keys count too, so that a server does not become open when its last key ends. `now` is in milliseconds since
 * 1970.
 */
export function bootstrapAccess(keys: KeyStore, now: () => number): BootstrapAccess {
  const keyless = async () => (await keys.list(1)).length === 0;
  const [open, stored] = [loopbackAuthentication(), storedKeyAuthentication(keys, now)];
  return {
    keyless,
    authenticate: async (request) => ((await keyless()) ? open(request) : stored(request)),
  };
}
