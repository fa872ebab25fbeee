// Who may send requests to a server.

import {
  type Authenticate,
  anyAuthentication,
  bootstrapAccess,
  keyAuthentication,
  storedKeyAuthentication,
} from "@assay/adapters-http";
import type { BootstrapAccess } from "@assay/adapters-http/internal";
import type { KeyStore } from "@assay/inference-core";
import { isUsable } from "@assay/inference-core/internal";

/**
 * Who may send requests. By default, holders of a stored key (`POST /v1/keys`, `assay keys create`), within its
 * scopes.
 */
export interface ServerAccess {
  /** Authenticates requests in place of all keys. */
  readonly authenticate?: Authenticate | undefined;
  /** A key with access to everything, in addition to the stored keys. */
  readonly apiKey?: string | undefined;
  /**
   * Whether every program on this machine has access until the first key is created, if `apiKey` is absent. Only for
   * servers that no other machine can reach. Default false.
   */
  readonly bootstrapAccess?: boolean | undefined;
}

/**
 * Who may send requests: holders of `apiKey` or of a stored key, holders of a stored key, every program on this
 * machine, no one (no key works), or those whom the caller's own function accepts.
 */
export type WhoMayAsk = "api key" | "stored key" | "this machine" | "nobody" | "by function";

/** Authentication, and who currently passes it. */
export interface Access extends BootstrapAccess {
  readonly whoMayAsk: () => Promise<WhoMayAsk>;
}

/** The access that the options describe. */
export function accessTo(keys: KeyStore, options: ServerAccess): Access {
  const keyless = async () => false;
  const { authenticate, apiKey } = options;
  if (authenticate !== undefined)
    return {
      // Look-ups in databases return null for a missing key.
      authenticate: async (request) => (await authenticate(request)) ?? undefined,
      keyless,
      whoMayAsk: async () => "by function",
    };
  const stored = storedKeyAuthentication(keys, Date.now);
  if (apiKey !== undefined) {
    const either = anyAuthentication([keyAuthentication(apiKey), stored]);
    return { authenticate: either, keyless, whoMayAsk: async () => "api key" };
  }
  if (options.bootstrapAccess === true) {
    const open = bootstrapAccess(keys, Date.now);
    return { ...open, whoMayAsk: async () => ((await open.keyless()) ? "this machine" : "stored key") };
  }
  const whoMayAsk = async () => ((await hasUsableKey(keys, Date.now())) ? "stored key" : "nobody");
  return { authenticate: stored, keyless, whoMayAsk };
}

async function hasUsableKey(keys: KeyStore, now: number): Promise<boolean> {
  let after: string | undefined;
  for (;;) {
    const page = await keys.list(1000, after);
    if (page.some((key) => isUsable(key, now))) return true;
    after = page.at(-1)?.id;
    if (after === undefined) return false;
  }
}
