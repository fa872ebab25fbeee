// A clock that moves only when it is advanced. For tests and simulations.

import type { Clock } from "../ports/clock.ts";

/** A `Clock` that is moved by hand. */
export interface SimulatedClock extends Clock {
  /** Advances the time by `ms` and wakes waiters in order, then lets what they started run. */
  advance(ms: number): void;
  /** Sets the clock, as an administrator would: waiters wait as long as before. */
  set(time: number): void;
}

/** A clock that starts at `start` milliseconds since 1970. */
export function simulatedClock(start = 0): SimulatedClock {
  // The displayed time and elapsed time are separate: `set` changes only the former.
  let shown = start;
  let elapsed = 0;
  const timers = new Map<number, { readonly due: number; readonly wake: () => void }>();
  let count = 0;

  const next = (until: number) => {
    let first: number | undefined;
    for (const [key, { due }] of timers)
      if (due <= until && (first === undefined || due < timers.get(first)!.due)) first = key;
    return first;
  };

  return {
    now: () => shown,
    after(ms, wake) {
      const key = count++;
      timers.set(key, { due: elapsed + Math.max(0, ms), wake });
      return () => {
        timers.delete(key);
      };
    },
    advance(ms) {
      const end = elapsed + ms;
      for (let key = next(end); key !== undefined; key = next(end)) {
        const { due, wake } = timers.get(key)!;
        timers.delete(key);
        shown += due - elapsed;
        elapsed = due;
        wake();
      }
      shown += end - elapsed;
      elapsed = end;
    },
    set(time) {
      shown = time;
    },
  };
}
