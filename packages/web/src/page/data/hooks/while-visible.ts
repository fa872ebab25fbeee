// Keeps streams open only while the page is visible, because a browser allows six connections for all pages of a
// server.

import { backoffMs } from "@assay/base/internal";

const PAUSES = { firstMs: 1000, longestMs: 30_000 };

/**
 * Runs `follow` while the page is visible, again whenever it breaks off, until it reports its end. Returns a function
 * that stops it.
 */
export function whileVisible(follow: (signal: AbortSignal) => Promise<boolean>): () => void {
  let stop: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let over = false;
  const run = async (): Promise<void> => {
    const mine = new AbortController();
    stop = mine;
    try {
      over = await follow(mine.signal);
      failures = 0;
    } catch {
      // Retrying later is the only option for any error.
    }
    if (over || mine.signal.aborted) return;
    timer = setTimeout(() => void run(), backoffMs(++failures, PAUSES));
  };
  const seen = (): void => {
    clearTimeout(timer);
    stop?.abort();
    if (!over && document.visibilityState === "visible") void run();
  };
  document.addEventListener("visibilitychange", seen);
  seen();
  return () => {
    document.removeEventListener("visibilitychange", seen);
    over = true;
    clearTimeout(timer);
    stop?.abort();
  };
}
