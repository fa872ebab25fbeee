// API keys: reads them from a request and compares them in constant time. Never stores, logs or repeats a key.

import { createHash, timingSafeEqual } from "node:crypto";
import { isLoopback } from "./loopback.ts";
import type { Authenticate, Principal } from "./principal.ts";

/** The name that goes with a key in Basic authentication. */
const BASIC_USER = "api";

/** Asks for `key`, as `Bearer KEY` or as `Basic` with user `api`. Anyone who has it may do everything. */
export function keyAuthentication(key: string): Authenticate {
  if (key === "") throw new Error("an API key must not be empty");
  const wanted = digest(key);
  const owner: Principal = { id: "api-key", allows: () => true };
  return async (request) => {
    const given = credential(request.headers.get("authorization"));
    // Digests have one length, so that comparing them tells nothing about the key, not even how long it is.
    return given !== undefined && timingSafeEqual(digest(given), wanted) ? owner : undefined;
  };
}

/**
 * Asks for no key, and answers requests that name this machine as their host: `localhost` and loopback addresses.
 * Other names are refused because a web page can make any name of its own point here (DNS rebinding).
 */
export function loopbackAuthentication(): Authenticate {
  const local: Principal = { id: "local", allows: () => true };
  return async ({ url }) => (URL.canParse(url) && isLoopback(new URL(url).hostname) ? local : undefined);
}

/** Asks in several ways: whom the first of them knows is who asks. */
export function anyAuthentication(ways: readonly Authenticate[]): Authenticate {
  return async (request) => {
    for (const authenticate of ways) {
      const principal = await authenticate(request);
      if (principal !== undefined) return principal;
    }
    return undefined;
  };
}

/** The key in an `Authorization` header. */
export function credential(header: string | null): string | undefined {
  const [, scheme, value] = /^([A-Za-z]+) +(\S+)$/.exec(header?.trim() ?? "") ?? [];
  switch (scheme?.toLowerCase()) {
    case "bearer":
      return value;
    case "basic": {
      const text = Buffer.from(value!, "base64").toString("utf8");
      const colon = text.indexOf(":");
      return text.slice(0, colon) === BASIC_USER ? text.slice(colon + 1) : undefined;
    }
    default:
      return undefined;
  }
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
