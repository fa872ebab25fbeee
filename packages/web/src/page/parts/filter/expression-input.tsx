// The input of an expression, with a list of what may follow.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { completionsOf, type KnownField } from "../../format/filter/completions.ts";
import { shown } from "../../format/shown.ts";

/** The input. */
export function ExpressionInput({
  text,
  known,
  isInvalid,
  onText,
}: {
  readonly text: string;
  readonly known: readonly KnownField[];
  readonly isInvalid: boolean;
  readonly onText: (text: string) => void;
}): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [caret, setCaret] = useState(text.length);
  // The selected completion; -1 for none.
  const [at, setAt] = useState(-1);
  const [open, setOpen] = useState(false);
  const { from, options } = completionsOf(text.slice(0, caret), known);
  const isOpen = open && options.length > 0;
  // The caret follows a text that was inserted.
  useLayoutEffect(() => input.current?.setSelectionRange(caret, caret), [text]);
  const take = (index: number) => {
    const { text: inserted } = options[index]!;
    onText(`${text.slice(0, from)}${inserted}${text.slice(caret)}`);
    setCaret(from + inserted.length);
    setAt(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setOpen(true);
      setAt(isOpen ? Math.max(-1, Math.min(options.length - 1, at + step)) : 0);
    } else if ((event.key === "Enter" || event.key === "Tab") && isOpen && at >= 0) {
      event.preventDefault();
      take(at);
    } else if (event.key === "Enter") setOpen(false);
    else if (event.key === "Escape" && isOpen) {
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <label class="expression">
      condition{" "}
      <input
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls="completions"
        aria-invalid={isInvalid}
        {...(isInvalid && { "aria-describedby": "expression-error" })}
        {...(isOpen && at >= 0 && { "aria-activedescendant": `completion-${at}` })}
        autoComplete="off"
        spellcheck={false}
        placeholder='kind = "rate" and not scores.correct'
        value={text}
        onInput={(event) => {
          setCaret(event.currentTarget.selectionStart ?? 0);
          setAt(-1);
          setOpen(true);
          onText(event.currentTarget.value);
        }}
        onClick={(event) => {
          setCaret(event.currentTarget.selectionStart ?? 0);
          setOpen(true);
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div id="completions" role="listbox" aria-label="completions" class={isOpen ? "completions" : "unseen"}>
        {isOpen &&
          options.map(({ text: option, note }, index) => (
            <div
              key={option}
              id={`completion-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onPointerDown={(event) => {
                // Keeps the focus in the input.
                event.preventDefault();
                take(index);
              }}
            >
              {shown(option)} <span class="muted">{shown(note)}</span>
            </div>
          ))}
      </div>
    </label>
  );
}
