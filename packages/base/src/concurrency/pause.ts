// A pause that an abort ends.

// Exist in Node and browsers, but in no ECMAScript library; declared here as far as they are used.
declare const setTimeout: (run: () => void, ms: number) => unknown;
declare const clearTimeout: (timer: unknown) => void;

interface Signal {
  readonly aborted: boolean;
  addEventListener(type: "abort", run: () => void): void;
  removeEventListener(type: "abort", run: () => void): void;
}

/** Resolves after some milliseconds, or as soon as the signal aborts. */
export function pause(ms: number, signal?: Signal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, signal?.aborted === true ? 0 : ms);
    signal?.addEventListener("abort", end);
  });
}
