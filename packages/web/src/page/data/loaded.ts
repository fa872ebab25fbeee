// What a part of the page has asked for: the last answer stays while the next is under way, and a newer question ends
// an older one.

import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** An answer on its way, there, or refused. */
export interface Loaded<T> {
  readonly value: T | undefined;
  /** Why the last question was not answered. */
  readonly error: Error | undefined;
  readonly loading: boolean;
  /** Milliseconds from question to answer. */
  readonly took: number;
  /** The key that `value` answers. */
  readonly of: string | undefined;
}

const NOTHING: Loaded<never> = { value: undefined, error: undefined, loading: true, took: 0, of: undefined };

/**
 * Loads whenever `key` changes; nothing while it is undefined. `load` is aborted when a newer key comes or the part goes.
 */
export function useLoaded<T>(key: string | undefined, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Loaded<T>>(NOTHING);
  const latest = useRef(load);
  latest.current = load;
  // Asked before the frame is painted, not after it: an answer is what a reader waits for.
  useLayoutEffect(() => {
    if (key === undefined) return undefined;
    const stop = new AbortController();
    const begun = performance.now();
    setState((before) => ({ ...before, loading: true }));
    latest.current(stop.signal).then(
      (value) => {
        if (stop.signal.aborted) return;
        setState({ value, error: undefined, loading: false, took: performance.now() - begun, of: key });
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const failure = error instanceof Error ? error : new Error(String(error));
        setState((before) => ({ ...before, error: failure, loading: false }));
      },
    );
    return () => stop.abort();
  }, [key]);
  return state;
}
