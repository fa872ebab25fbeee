// Work in steps: a long task marks where it can pause, and the caller decides when others have a turn.

/** Work that gives way at every `yield`, and ends with a value. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** The value that `steps` end with, without giving way to anybody. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The value that `steps` end with. Others have their turn when `pause` says so, which is asked after each step. */
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
