// What belongs to an answer stays with it: while the next is under way, the last is shown as it was asked for, and not half
// in the words of the new question.

import { useRef } from "preact/hooks";

/** `value` while `current`; otherwise its last value from then. */
export function usePrevious<T>(value: T, current: boolean): T {
  const held = useRef(value);
  if (current) held.current = value;
  return held.current;
}
