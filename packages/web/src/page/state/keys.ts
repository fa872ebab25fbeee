// The keyboard. A part declares the keys that it handles; keys typed into a field are left to the field.

import { useEffect, useRef } from "preact/hooks";

/** Actions by `KeyboardEvent.key`, or by two consecutive keys as in `g c`. */
export type Keys = Readonly<Record<string, () => void>>;

/** The longest pause between two keys. */
const TOGETHER_MS = 3000;
const SWITCH = "assay.keys";

/** Whether single-letter shortcuts are on: people who use speech input may switch them off. */
export function lettersOn(): boolean {
  try {
    return localStorage.getItem(SWITCH) !== "off";
  } catch {
    return true;
  }
}

/** Switches single-letter shortcuts on or off, for this browser. */
export function setLetters(on: boolean): void {
  try {
    localStorage.setItem(SWITCH, on ? "on" : "off");
  } catch {
    // Without storage it stays unchanged.
  }
}

/** Handles these keys while the part is on the page. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    let first: { key: string; at: number } | undefined;
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event)) return;
      const palette = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k";
      if ((event.metaKey || event.ctrlKey || event.altKey) && !palette) return;
      const key = palette ? "mod+k" : event.key;
      if (key.length === 1 && !lettersOn()) return;
      const together =
        first !== undefined && event.timeStamp - first.at < TOGETHER_MS ? `${first.key} ${key}` : key;
      first = undefined;
      const act = latest.current[together] ?? latest.current[key];
      if (act !== undefined) {
        event.preventDefault();
        act();
      } else if (Object.keys(latest.current).some((one) => one.startsWith(`${key} `))) {
        first = { key, at: event.timeStamp };
      }
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}

/** Whether typed characters belong to a field. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // A dialog is closed by its own Escape.
  if (key === "Escape") return target.ownerDocument.querySelector("dialog[open]") !== null;
  if (target.closest("input, textarea, select, [contenteditable], dialog") !== null) return true;
  // Enter on a button is a click on it.
  return key === "Enter" && target.closest("button, a, summary, [role=grid]") !== null;
}
