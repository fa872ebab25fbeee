// Filters of rows, as chips: by how they changed, and by conditions.

import { cutText, measureName } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ChangeCounts } from "../data/answers.ts";
import { useQuery } from "../data/hooks/use-query.ts";
import type { NamedEvaluation } from "../format/evaluation-names.ts";
import { shown } from "../format/shown.ts";
import { useApp } from "../state/app.tsx";
import { CHANGES, type Change, type Chip, CONDITION_OPS, type ConditionOp } from "../state/page-route.ts";
import { useInitialFocus } from "./use-initial-focus.ts";

/** Chips that filter rows by how they changed. */
export function ChangeChips(props: {
  readonly counts: ChangeCounts | null | undefined;
  readonly total: number | undefined;
  readonly change: Change | undefined;
  readonly onChange: (change: Change | undefined) => void;
}): JSX.Element {
  const { counts, total, change, onChange } = props;
  const all = counts?.all ?? (change === undefined ? total : undefined);
  return (
    <fieldset class="changes">
      <legend class="unseen">Rows by change</legend>
      <button
        type="button"
        class="chip"
        aria-pressed={change === undefined}
        onClick={() => onChange(undefined)}
      >
        all {all?.toLocaleString("en")}
      </button>
      {counts != null &&
        CHANGES.filter((one) => one === change || (counts[one] ?? 0) > 0).map((one) => (
          <button
            type="button"
            key={one}
            class={`chip ${one}`}
            aria-pressed={change === one}
            onClick={() => onChange(change === one ? undefined : one)}
          >
            {/* Without a number while the counts are of a single evaluation, shown before. */}
            {one} {counts[one]?.toLocaleString("en")}
          </button>
        ))}
    </fieldset>
  );
}

const OP_TEXT: Readonly<Record<ConditionOp, string>> = {
  eq: "=",
  ne: "≠",
  gt: ">",
  ge: "≥",
  lt: "<",
  le: "≤",
  has: "contains",
};

/** The conditions, each with a button to remove it. */
export function ConditionChips(props: {
  readonly chips: readonly Chip[];
  readonly evaluations: readonly NamedEvaluation[];
  readonly onRemove: (index: number) => void;
}): JSX.Element {
  const { chips, evaluations, onRemove } = props;
  return (
    <>
      {chips.map((chip, index) => {
        const text = chipText(chip, evaluations);
        return (
          <span class="chip condition" key={text}>
            {text}
            <button type="button" aria-label={`remove the filter ${text}`} onClick={() => onRemove(index)}>
              ✕
            </button>
          </span>
        );
      })}
    </>
  );
}

function chipText(chip: Chip, evaluations: readonly NamedEvaluation[]): string {
  if (chip.kind !== "condition") return shown(cutText(chip.label, 80));
  // An evaluation that was removed has no letter, but its condition still applies only to it.
  const scope = evaluations.find(({ id }) => id === chip.evaluation)?.letter ?? chip.evaluation;
  const value = typeof chip.value === "string" ? chip.value : JSON.stringify(chip.value);
  return `${scope === undefined ? "" : `${shown(cutText(scope, 30))}: `}${shown(cutText(fieldText(chip.field), 60))} ${OP_TEXT[chip.op]} ${shown(cutText(value, 60))}`;
}

/** Fields for conditions, in addition to those that the server lists. */
const OTHER_FIELDS = ["outputs", "row_digest"];

/** Builds a condition. It offers fields and their most common values once they are known; any other may be typed. */
export function FilterForm(props: {
  readonly project: string;
  readonly evaluations: readonly NamedEvaluation[];
  readonly onAdd: (chip: Chip) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { project, evaluations, onAdd, onClose } = props;
  const { api } = useApp();
  const ids = evaluations.map(({ id }) => id);
  const known = useQuery(`fields ${project} ${ids.join(" ")}`, (signal) =>
    api.fields(project, { evaluation_call_ids: ids }, signal),
  );
  const listed = [
    ...(known.value?.inputs ?? []),
    ...(known.value?.scores ?? []),
    ...(known.value?.outputs ?? []),
  ];
  const fields = [...new Set([...listed.map(({ field: name }) => name), ...OTHER_FIELDS])];
  const [typed, setTyped] = useState("inputs.");
  const field = fieldNamed(typed.trim(), fields);
  const form = useRef<HTMLFormElement>(null);
  useInitialFocus(form);
  const [op, setOp] = useState<ConditionOp>("eq");
  const [value, setValue] = useState("");
  const [evaluation, setEvaluation] = useState("");
  const ofRow = field.startsWith("inputs.") || field === "row_digest";
  return (
    <form
      ref={form}
      class="popover filter-form"
      aria-label="Add a filter"
      onSubmit={(event) => {
        event.preventDefault();
        const scope = ofRow || evaluation === "" ? {} : { evaluation };
        onAdd({ kind: "condition", field, op, value: literalOf(value, op), ...scope });
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
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
        {(listed.find((one) => one.field === field)?.values ?? []).map(({ value: common, count }) => (
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
      {!ofRow && (
        <label>
          in{" "}
          <select value={evaluation} onChange={(event) => setEvaluation(event.currentTarget.value)}>
            <option value="">any evaluation</option>
            {evaluations.map((one) => (
              <option key={one.id} value={one.id}>
                {one.letter} {one.name}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="submit" class="primary">
        Add filter
      </button>
      <button type="button" onClick={onClose}>
        Cancel
      </button>
    </form>
  );
}

/** The typed field, possibly as the page shows it: `kind` is `inputs.kind`, and `scores["f.1"]` is `scores.f\\.1`. */
function fieldNamed(typed: string, fields: readonly string[]): string {
  const isTyped = (field: string): boolean => [fieldText(field), measureName(field)].includes(typed);
  return fields.includes(typed) ? typed : (fields.find(isTyped) ?? typed);
}

/** A field as its chip shows it. */
function fieldText(field: string): string {
  return field.startsWith("inputs.") ? field.slice("inputs.".length) : measureName(field);
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
