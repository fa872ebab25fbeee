// Stable callbacks. A function that differs at each drawing would redraw all parts that receive it; this one stays the
// same, and calls the function of the last drawing.

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
