// A token bucket: a rate limit with bursts of up to a minute's allowance.

/** A bucket that fills at an even rate up to one minute's allowance. Times are milliseconds. */
export interface TokenBucket {
  /** The content at `now`: negative if more was taken than was available. */
  level(now: number): number;
  /** Takes `amount`, even if it is not available: the bucket then stays empty for longer. */
  take(amount: number, now: number): void;
  /** Milliseconds from `now` until `amount` is available; 0 if it is. */
  waitFor(amount: number, now: number): number;
}

const MINUTE = 60_000;

/** A full bucket for `perMinute`, a whole number of at least 1. A clock that goes back adds nothing. */
export function tokenBucket(perMinute: number, begun: number): TokenBucket {
  let [held, at] = [perMinute, begun];
  const level = (now: number): number => {
    if (now > at) {
      held = Math.min(perMinute, held + ((now - at) * perMinute) / MINUTE);
      at = now;
    }
    return held;
  };
  return {
    level,
    take(amount, now) {
      held = level(now) - amount;
    },
    waitFor(amount, now) {
      // Sums of fractions are slightly inexact, and an announced wait must suffice.
      return Math.max(0, Math.ceil(((amount - level(now)) * MINUTE) / perMinute - 1e-6));
    },
  };
}
