// Moves the focus into a part that opens, and back to its previous position when the part closes.

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/**
 * Moves the focus to the first control of a newly opened part and selects its content, so that typing replaces it. It
 * runs before the frame is painted, because the next key may have been pressed already.
 */
export function useInitialFocus(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current;
    const before = document.activeElement;
    // Browsers apply `autofocus` only once per document, and not while something else has the focus.
    const first = element?.querySelector<HTMLElement>("input, button, select");
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
    return () => {
      if (before instanceof HTMLElement && element?.contains(document.activeElement)) before.focus();
    };
  }, []);
}
