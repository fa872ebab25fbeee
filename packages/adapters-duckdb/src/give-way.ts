// Long reads run on the thread that answers everybody: after some milliseconds they let others run.

// Well below what a person or a health check notices, and long enough that pausing costs nothing.
const SLICE_MS = 10;

/** Makes a function to call often: a promise to wait for when it is time to let others run, and nothing otherwise. */
export function givingWay(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resume) => {
      setImmediate(() => {
        since = performance.now();
        resume();
      });
    });
  };
}
