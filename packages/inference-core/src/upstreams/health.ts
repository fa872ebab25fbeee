// The health of an upstream, derived from its requests. It is a preference, not a gate: if all upstreams are unhealthy
// they are still tried, so that no request is refused that an engine would have answered.

import { backoffMs } from "@assay/base/internal";

/** The health of one upstream. */
export interface Health {
  /** Records a success. */
  answered(): void;
  /** Records a failure or a temporary refusal; `seconds` is the pause that the upstream requested. */
  failed(seconds?: number): void;
  isGood(): boolean;
  /** Milliseconds for which to prefer other upstreams; 0 if it is healthy. */
  restsFor(): number;
}

const REST = { firstMs: 1000, longestMs: 60_000 };

/** An upstream without a history. `now` is in milliseconds since 1970. */
export function health(now: () => number): Health {
  let failures = 0;
  let until = 0;

  return {
    answered() {
      failures = 0;
      until = 0;
    },
    failed(seconds = 0) {
      failures++;
      until = now() + Math.max(Math.min(1000 * seconds, REST.longestMs), backoffMs(failures, REST));
    },
    isGood: () => failures === 0,
    restsFor: () => Math.max(0, until - now()),
  };
}
