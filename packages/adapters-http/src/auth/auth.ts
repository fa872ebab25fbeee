// API keys: reads them from a request and compares them in constant time. Never stores, logs or repeats a key.

import { createHash, timingSafeEqual } from "node:crypto";
import type { Authenticate, Principal } from "../request/principal.ts";
import { isLoopback } from "./loopback.ts";

/** The user name that accompanies a key in Basic authentication. */
const BASIC_USER = "api";

/** Requires `key`, as `Bearer KEY` or as `Basic` with user `api`. Its holders may do everything. */
export function keyAuthentication(key: string): Authenticate {
  if (key === "") throw new Error("an API key must not be empty");
  const wanted = digest(key);
  const owner: Principal = { id: "api-key", allows: () => true };
  return async (request) => {
    const given = credential(request.headers.get("authorization"));
    // Digests have equal lengths, so that comparing them reveals nothing about the key, not even its length.
    return given !== undefined && timingSafeEqual(digest(given), wanted) ? owner : undefined;
  };
}

/**
 * Requires no key, but the request must name this machine as its host: `localhost` or a loopback address. Other names
 * are refused because any web page can make its own domain name resolve to this machine (DNS rebinding).
 */
export function loopbackAuthentication(): Authenticate {
  const local: Principal = { id: "local", allows: () => true };
  return async ({ url }) => (URL.canParse(url) && isLoopback(new URL(url).hostname) ? local : undefined);
}

/** Tries several ways of authentication; the first that succeeds counts. */
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
