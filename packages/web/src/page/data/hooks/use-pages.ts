// A list that loads page by page while the reader scrolls.

import { useEffect, useState } from "preact/hooks";
import { useApp } from "../../state/app.tsx";
import type { ListPage } from "../training-answers.ts";

/** The items so far. */
export interface Pages<T> {
  readonly items: readonly T[];
  readonly more: boolean;
  readonly error: Error | undefined;
  readonly loading: boolean;
  /** Requests the next page. */
  next(): void;
}

/** The list at `path`, which may have parameters. */
export function usePages<T extends { readonly id: string }>(path: string): Pages<T> {
  const { api, refresh } = useApp();
  const [after, setAfter] = useState<string | undefined>(undefined);
  const [state, setState] = useState<Omit<Pages<T>, "next">>({
    items: [],
    more: false,
    error: undefined,
    loading: true,
  });
  const version = refresh.value;
  useEffect(() => setAfter(undefined), [path, version]);
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    const cursor =
      after === undefined ? "" : `${path.includes("?") ? "&" : "?"}after=${encodeURIComponent(after)}`;
    api.json<ListPage<T>>(`${path}${cursor}`, { signal: stop.signal }).then(
      ({ data, has_more }) =>
        setState(({ items }) => ({
          items: after === undefined ? data : [...items, ...data],
          more: has_more,
          error: undefined,
          loading: false,
        })),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        setState((before) => ({ ...before, error: error as Error, loading: false }));
      },
    );
    return () => stop.abort();
  }, [path, after, version]);
  return { ...state, next: () => setAfter(state.items.at(-1)?.id) };
}
