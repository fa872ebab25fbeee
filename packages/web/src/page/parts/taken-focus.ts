// The focus of a part that opens: it goes into the part, and back to where it was when the part closes.

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/**
 * Moves the focus to the first control of a part that has just been opened, with what stands in it selected, so that
 * typing replaces it. Done before the frame is painted: the next key may have been pressed already.
 */
export function useTakenFocus(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current;
    const before = document.activeElement;
    // Browsers heed `autofocus` once for a document, and not while something else has the focus.
    const first = element?.querySelector<HTMLElement>("input, button, select");
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
    return () => {
      if (before instanceof HTMLElement && element?.contains(document.activeElement)) before.focus();
    };
  }, []);
}
