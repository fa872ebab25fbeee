// Rate limit headers in the chat-completion format, sent with every answer.

import type { Rate, Rates } from "@assay/inference-core/internal";

/** The headers `x-ratelimit-limit-requests`, `-remaining-requests` and `-reset-requests`, and the same for tokens. */
export function rateHeaders(rates: Rates | undefined): { readonly [name: string]: string } {
  const headers: { [name: string]: string } = {};
  for (const kind of ["requests", "tokens"] as const) {
    const rate: Rate | undefined = rates?.[kind];
    if (rate === undefined) continue;
    headers[`x-ratelimit-limit-${kind}`] = String(rate.limit);
    headers[`x-ratelimit-remaining-${kind}`] = String(rate.remaining);
    headers[`x-ratelimit-reset-${kind}`] = duration(rate.resetMs);
  }
  return headers;
}

/** Milliseconds in the format of clients: `12ms`, `1.5s`, `1m2s`. */
function duration(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  return `${minutes > 0 ? `${minutes}m` : ""}${(ms - 60_000 * minutes) / 1000}s`;
}
