// A filter as a field, an operator and a value.

import { measureName } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CONDITION_OPS, type ConditionOp } from "../../state/page-route.ts";
import { OP_TEXT } from "./condition-chips.tsx";
import { fieldNamed } from "./field-names.ts";
import type { FormProps } from "./form-props.ts";

/** The form. */
export function ConditionForm({ known, evaluation, scope, buttons, onAdd }: FormProps): JSX.Element {
  const fields = [...new Set(known.map(({ field: name }) => name))];
  const [typed, setTyped] = useState("inputs.");
  const field = fieldNamed(typed.trim(), fields);
  const [op, setOp] = useState<ConditionOp>("eq");
  const [value, setValue] = useState("");
  const ofRow = field.startsWith("inputs.") || field === "row_digest";
  return (
    <form
      class="fields-of-filter"
      aria-label="Add a filter"
      onSubmit={(event) => {
        event.preventDefault();
        const about = ofRow || evaluation === undefined ? {} : { evaluation };
        onAdd({ kind: "condition", field, op, value: literalOf(value, op), ...about });
      }}
    >
      <label>
        field{" "}
        <input list="filter-fields" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      <datalist id="filter-fields">
        {fields.map((one) => (
          <option key={one} value={one}>
            {measureName(one)}
          </option>
        ))}
      </datalist>
      <datalist id="filter-values">
        {(known.find((one) => one.field === field)?.values ?? []).map(({ value: common, count }) => (
          <option key={String(common)} value={String(common)}>
            {count.toLocaleString("en")}
          </option>
        ))}
      </datalist>
      <label>
        is{" "}
        <select value={op} onChange={(event) => setOp(event.currentTarget.value as ConditionOp)}>
          {CONDITION_OPS.map((one) => (
            <option key={one} value={one}>
              {OP_TEXT[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        value{" "}
        <input
          list="filter-values"
          value={value}
          placeholder="text, 3, true, null"
          onInput={(event) => setValue(event.currentTarget.value)}
        />
      </label>
      {!ofRow && scope}
      {buttons}
    </form>
  );
}

/** The typed value as the type that it looks like; a text for `contains`. */
function literalOf(text: string, op: ConditionOp): string | number | boolean | null {
  if (op === "has") return text;
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  // A code such as 007 is a text: no JSON number begins like that.
  if (/^\s*[-+]?0[\dbox]/i.test(text)) return text;
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
