// Work in steps: a long task marks where it can pause, and the caller decides when other work runs.

/** Work that allows a pause at every `yield`, and returns a value. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** The result of `steps`, run without pauses. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The result of `steps`. Other work runs when `pause`, called after each step, returns a promise. */
export async function inTurns<T>(
  steps: Steps<T>,
  pause: (() => Promise<void> | undefined) | undefined,
): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    const turn = pause?.();
    if (turn !== undefined) await turn;
  }
}
