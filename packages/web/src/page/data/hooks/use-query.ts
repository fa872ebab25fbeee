// Queries of a part of the page. The last answer stays while the next one loads, a newer question cancels an older one,
// and recent questions are answered from memory.

import { type LruCache, lruCache } from "@assay/base/internal";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

/** An answer: pending, loaded, or refused. */
export interface QueryState<T> {
  readonly value: T | undefined;
  /** Why the last question was not answered. */
  readonly error: Error | undefined;
  readonly loading: boolean;
  /** Milliseconds from question to answer. */
  readonly took: number;
  /** The key that `value` answers. */
  readonly of: string | undefined;
}

/**
 * The number of answers that a part caches: after swapping baseline and candidate, or removing a filter, readers soon
 * go back.
 */
const MOST_KEPT = 8;

const NOTHING: QueryState<never> = {
  value: undefined,
  error: undefined,
  loading: true,
  took: 0,
  of: undefined,
};

/**
 * Loads whenever `key` changes; does nothing while it is undefined. `load` is aborted when a newer key arrives or the
 * part is removed. A repeated key gets its cached answer: use another key for an answer that may have changed.
 */
export function useQuery<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
): QueryState<T> {
  const [state, setState] = useState<QueryState<T>>(NOTHING);
  const kept: LruCache<string, QueryState<T>> = useMemo(() => lruCache(MOST_KEPT), []);
  const known = key === undefined ? undefined : kept.get(key);
  const latest = useRef(load);
  latest.current = load;
  // Before the frame is painted, because the reader waits for the answer.
  useLayoutEffect(() => {
    if (key === undefined) return undefined;
    if (known !== undefined) {
      setState(known);
      return undefined;
    }
    const stop = new AbortController();
    const begun = performance.now();
    setState((before) => ({ ...before, loading: true }));
    latest.current(stop.signal).then(
      (value) => {
        if (stop.signal.aborted) return;
        const loaded = { value, error: undefined, loading: false, took: performance.now() - begun, of: key };
        kept.set(key, loaded);
        setState(loaded);
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const failure = error instanceof Error ? error : new Error(String(error));
        setState((before) => ({ ...before, error: failure, loading: false }));
      },
    );
    return () => stop.abort();
  }, [key]);
  // The previous answer is outdated, but stays visible.
  if (key === undefined) return { ...state, error: undefined, loading: false };
  return known ?? state;
}
