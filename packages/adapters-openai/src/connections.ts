// Connections to one engine. A separate module, because most of the code that a request loads is the HTTP client. Uses
// undici's Pool instead of fetch: it limits and keeps connections per host, measures the time of connecting separately,
// streams bytes with backpressure, and follows no redirects unless configured.

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
