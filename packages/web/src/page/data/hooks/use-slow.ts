// Whether something has been under way for so long that a reader should be told. A sign that comes at once and goes again
// after a few frames flickers, and drawing it takes the frames that the answer needs.

import { useEffect, useState } from "preact/hooks";

/** Milliseconds before a reader is told. */
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
