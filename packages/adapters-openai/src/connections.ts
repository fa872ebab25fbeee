// Connections to one engine, in a module of their own: the HTTP client is most of what a request loads.
//
// On undici's Pool, not on fetch: it bounds and keeps connections per host, times the connecting apart from the rest,
// hands out bytes as a stream that stops when not read, and follows no redirect unless told.

import { Pool } from "undici";

/** The most connections to an origin, and the milliseconds allowed for establishing one. */
export function openConnections(origin: string, connections: number, timeout: number): Pool {
  return new Pool(origin, {
    connections,
    connect: { timeout },
    pipelining: 1,
    // The caller measures waits, because it knows whether the engine or the client causes them.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
