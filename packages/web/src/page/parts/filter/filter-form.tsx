// Adds or changes a filter: a field with a value, or a text of the expression language.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useQuery } from "../../data/hooks/use-query.ts";
import { evaluationOf } from "../../data/questions.ts";
import type { NamedEvaluation } from "../../format/evaluation-names.ts";
import type { KnownField } from "../../format/filter/completions.ts";
import { useApp } from "../../state/app.tsx";
import type { Chip } from "../../state/page-route.ts";
import { Refused } from "../states.tsx";
import { useInitialFocus } from "../use-initial-focus.ts";
import { ConditionForm } from "./condition-form.tsx";
import type { FormProps } from "./form-props.ts";

/** Fields for conditions, in addition to those that the server lists. */
const OTHER_FIELDS: readonly KnownField[] = ["outputs", "row_digest"].map((field) => ({
  ...{ field, types: ["string"], min: null, max: null, values: [] },
}));

/** The form. */
export function FilterForm(props: {
  readonly project: string;
  readonly evaluations: readonly NamedEvaluation[];
  readonly changed: Chip | undefined;
  readonly onAdd: (chip: Chip) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { project, evaluations, changed, onAdd, onClose } = props;
  const { api } = useApp();
  const ids = evaluations.map(({ id }) => id);
  const listed = useQuery(`fields ${project} ${ids.join(" ")}`, (signal) =>
    api.fields(project, { evaluation_call_ids: ids }, signal),
  );
  const { inputs = [], scores = [], outputs = [] } = listed.value ?? {};
  const [asText, setAsText] = useState(changed !== undefined);
  const [evaluation, setEvaluation] = useState(changed && evaluationOf(changed));
  const box = useRef<HTMLElement>(null);
  useInitialFocus(box);
  const text = useQuery(asText ? "the form of texts" : undefined, () => import("./expression-form.tsx"));
  useEffect(() => box.current?.querySelector("input")?.focus(), [text.value, asText]);
  const scope = (
    <label>
      in{" "}
      <select
        value={evaluation ?? ""}
        onChange={(event) => setEvaluation(event.currentTarget.value || undefined)}
      >
        <option value="">any evaluation</option>
        {evaluations.map((one) => (
          <option key={one.id} value={one.id}>
            {one.letter} {one.name}
          </option>
        ))}
      </select>
    </label>
  );
  const buttons = (
    <>
      <button type="submit" class="primary">
        {changed === undefined ? "Add filter" : "Change filter"}
      </button>
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      {changed === undefined && (
        <button type="button" class="link" onClick={() => setAsText(!asText)}>
          {asText ? "choose a field" : "write a text"}
        </button>
      )}
    </>
  );
  const form: FormProps = {
    known: [...inputs, ...scores, ...outputs, ...OTHER_FIELDS],
    isLoading: listed.value === undefined && listed.error === undefined,
    ...{ changed, evaluation, scope, buttons, onAdd },
  };
  return (
    <section
      ref={box}
      class="popover"
      aria-label="Filter"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      {!asText ? (
        <ConditionForm {...form} />
      ) : text.value !== undefined ? (
        <text.value.ExpressionForm {...form} />
      ) : (
        text.error !== undefined && <Refused error={text.error} isAction />
      )}
    </section>
  );
}
