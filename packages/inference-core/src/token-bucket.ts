// A token bucket: a rate with room for bursts, which are as large as what a minute gives.

/** A bucket that fills at an even rate up to what one minute gives. Times are milliseconds. */
export interface TokenBucket {
  /** What is in it at `now`: less than nothing when more was taken than was there. */
  level(now: number): number;
  /** Takes `amount`, also what is not there: then nothing is there for longer. */
  take(amount: number, now: number): void;
  /** Milliseconds from `now` until `amount` is there; 0 when it is. */
  waitFor(amount: number, now: number): number;
}

const MINUTE = 60_000;

/** A full bucket for `perMinute`, a whole number of at least 1. A clock that goes back fills nothing. */
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
      // Sums of fractions are a little off: a wait that was told is to be enough.
      return Math.max(0, Math.ceil(((amount - level(now)) * MINUTE) / perMinute - 1e-6));
    },
  };
}
