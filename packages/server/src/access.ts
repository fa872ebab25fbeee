// Who may ask a server.

import {
  type Authenticate,
  anyAuthentication,
  keyAuthentication,
  openUntilKeyed,
  storedKeyAuthentication,
} from "@assay/adapters-http";
import type { OpenUntilKeyed } from "@assay/adapters-http/internal";
import type { KeyStore } from "@assay/inference-core";
import { isUsable } from "@assay/inference-core/internal";

/** Who may ask. By default those who have a stored key (`POST /v1/keys`, `assay keys create`), for what it is for. */
export interface ServerAccess {
  /** Finds who is asking, in place of all keys. */
  readonly authenticate?: Authenticate | undefined;
  /** One key for everything, besides the stored ones. */
  readonly apiKey?: string | undefined;
  /**
   * Whether every program of this machine may ask until the first key is made, when there is no `apiKey`: only for servers
   * that no other machine reaches. Default false.
   */
  readonly openUntilKeyed?: boolean | undefined;
}

/**
 * Who may send requests: holders of the one key for everything or of a stored one, holders of a stored key, every
 * program of this machine, no one (no key works), or those whom a function of the caller's accepts.
 */
export type WhoMayAsk = "api key" | "stored key" | "this machine" | "nobody" | "by function";

/** What lets requests in, and who that is, as things are now. */
export interface Access extends OpenUntilKeyed {
  readonly whoMayAsk: () => Promise<WhoMayAsk>;
}

/** The access that was asked for. */
export function accessTo(keys: KeyStore, options: ServerAccess): Access {
  const keyless = async () => false;
  const { authenticate, apiKey } = options;
  if (authenticate !== undefined) return { authenticate, keyless, whoMayAsk: async () => "by function" };
  const stored = storedKeyAuthentication(keys, Date.now);
  if (apiKey !== undefined) {
    const either = anyAuthentication([keyAuthentication(apiKey), stored]);
    return { authenticate: either, keyless, whoMayAsk: async () => "api key" };
  }
  if (options.openUntilKeyed === true) {
    const open = openUntilKeyed(keys, Date.now);
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
