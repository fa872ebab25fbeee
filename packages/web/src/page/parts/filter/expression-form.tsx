// A filter as a text of the expression language, with completions, and errors at their place.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { filterOf } from "../../data/questions.ts";
import { filterOfText, textOfFilter } from "../../format/filter/filter-text.ts";
import { ExpressionInput } from "./expression-input.tsx";
import { fieldNamed } from "./field-names.ts";
import type { FormProps } from "./form-props.ts";

/** The form. */
export function ExpressionForm({
  known,
  isLoading,
  changed,
  evaluation,
  scope,
  buttons,
  onAdd,
}: FormProps): JSX.Element {
  const [text, setText] = useState(() => textOfFilter(changed && filterOf(changed)?.query) ?? "");
  const [error, setError] = useState<{ readonly message: string; readonly place: string } | undefined>();
  const fields = known.map(({ field }) => field);
  // A name may mean a field that is not loaded yet.
  const [waiting, setWaiting] = useState(false);
  const submit = (): void => {
    const read = filterOfText(text, (name) => fieldNamed(name, fields));
    setWaiting("message" in read && isLoading);
    if ("query" in read) {
      const about = evaluation === undefined ? {} : { evaluation_call_id: evaluation };
      onAdd({ kind: "filter", label: text.trim(), filter: { query: read.query, ...about } });
    } else if (!isLoading) setError(read);
  };
  useEffect(() => {
    if (waiting && !isLoading) submit();
  }, [waiting, isLoading]);
  return (
    <form
      class="fields-of-filter"
      aria-label="Add a filter"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ExpressionInput
        text={text}
        known={known}
        isInvalid={error !== undefined}
        onText={(typed) => {
          setText(typed);
          setError(undefined);
          setWaiting(false);
        }}
      />
      {scope}
      {buttons}
      {waiting && <p class="whole-line muted">loading the fields …</p>}
      {error !== undefined && (
        <pre class="whole-line worse" role="alert" id="expression-error">
          {`${error.place}\n${error.message}`}
        </pre>
      )}
    </form>
  );
}
