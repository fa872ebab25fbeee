// Loads the rows of a comparison page by page as they become visible. The last rows stay while others load.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Refusal } from "../../transport/ask.ts";
import type { PageRow, RowPage } from "../answers.ts";
import { PAGE_ROWS } from "../questions.ts";

/** The most pages in memory, for readers who scroll through a million rows. */
const MOST_PAGES = 10;

/** The requested rows. */
export interface Rows {
  /** The last page, for data that all pages contain: totals, counts, measures. */
  readonly latest: RowPage | undefined;
  readonly error: Error | undefined;
  readonly loading: boolean;
  /** The key of these rows: the previous one while new rows are loading. */
  readonly of: string | undefined;
  /** Milliseconds that the first page took. */
  readonly took: number;
  row(index: number): PageRow | undefined;
  /** Requests the pages with these rows, unless they are loaded or loading. */
  need(from: number, to: number): void;
}

interface Kept {
  readonly key: string;
  readonly pages: Map<number, RowPage>;
  readonly asked: Set<number>;
  readonly stop: AbortController;
}

/** The rows that `load` returns by page. A new `key` starts over; undefined loads nothing. */
export function useRows(
  key: string | undefined,
  load: (page: number, signal: AbortSignal) => Promise<RowPage>,
): Rows {
  const kept = useRef<Kept | undefined>(undefined);
  const [state, setState] = useState<{
    latest?: RowPage;
    error?: Error;
    loading: boolean;
    took: number;
    tick: number;
  }>({
    loading: true,
    took: 0,
    tick: 0,
  });
  const latestLoad = useRef(load);
  latestLoad.current = load;

  const ask = (of: Kept, page: number): void => {
    if (of.asked.has(page)) return;
    of.asked.add(page);
    const begun = performance.now();
    latestLoad.current(page, of.stop.signal).then(
      (answer) => {
        if (of.stop.signal.aborted) return;
        // The rows of the old question stay until the first page of the new one is loaded.
        const first = kept.current !== of;
        if (first) kept.current = of;
        of.pages.set(page, answer);
        for (const oldest of of.pages.keys()) {
          if (of.pages.size <= MOST_PAGES) break;
          of.pages.delete(oldest);
          of.asked.delete(oldest);
        }
        setState(({ took, tick }) => ({
          latest: answer,
          loading: false,
          took: first ? performance.now() - begun : took,
          tick: tick + 1,
        }));
      },
      (error: unknown) => {
        if (of.stop.signal.aborted) return;
        of.asked.delete(page);
        const failure = error instanceof Error ? error : new Refusal(0, String(error));
        setState((before) => ({ ...before, error: failure, loading: false }));
      },
    );
  };

  // Requested before the frame is painted, because the reader waits for the answer.
  useLayoutEffect(() => {
    if (key === undefined) return undefined;
    const of: Kept = { key, pages: new Map(), asked: new Set(), stop: new AbortController() };
    setState((before) => ({ ...before, loading: true }));
    ask(of, 0);
    return () => of.stop.abort();
  }, [key]);

  return {
    latest: state.latest,
    error: state.error,
    loading: state.loading,
    of: kept.current?.key,
    took: state.took,
    row: (index) => kept.current?.pages.get(Math.floor(index / PAGE_ROWS))?.rows[index % PAGE_ROWS],
    need(from, to) {
      const of = kept.current;
      if (of === undefined || of.key !== key || to <= from) return;
      for (let page = Math.floor(from / PAGE_ROWS); page <= Math.floor((to - 1) / PAGE_ROWS); page++)
        ask(of, page);
    },
  };
}
