// Delays signs of waiting: a sign that appears immediately and disappears after a few frames flickers, and drawing it
// takes frames that the answer needs.

import { useEffect, useState } from "preact/hooks";

/** Milliseconds before a sign appears. */
const PATIENCE = 150;

/** `waits`, after it has been true for a moment. */
export function useSlow(waits: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!waits) {
      setSlow(false);
      return undefined;
    }
    const timer = setTimeout(() => setSlow(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [waits]);
  return waits && slow;
}
