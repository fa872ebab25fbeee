// What a part hands to the parts in it to be called. A function that is another one at each drawing would have all of
// them drawn again; this one stays the same, and does what the last drawing says.

import { useCallback, useLayoutEffect, useRef } from "preact/hooks";

/** A stable function that calls the latest `act`. Do not call it while drawing. */
export function useLatest<Given extends readonly unknown[]>(
  act: (...given: Given) => void,
): (...given: Given) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}
