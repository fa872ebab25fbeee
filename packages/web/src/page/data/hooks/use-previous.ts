// Keeps the parameters of an answer with it: while the next answer loads, the last one is shown with its own question,
// not partly with the new one.

import { useRef } from "preact/hooks";

/** `value` while `current`; otherwise its last value from then. */
export function usePrevious<T>(value: T, current: boolean): T {
  const held = useRef(value);
  if (current) held.current = value;
  return held.current;
}
