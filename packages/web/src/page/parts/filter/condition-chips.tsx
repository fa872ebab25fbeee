// The conditions on rows, as chips.

import { cutText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { evaluationOf } from "../../data/questions.ts";
import type { NamedEvaluation } from "../../format/evaluation-names.ts";
import { shown } from "../../format/shown.ts";
import type { Chip, ConditionOp } from "../../state/page-route.ts";
import { fieldText } from "./field-names.ts";

/** Operators as signs. */
export const OP_TEXT: Readonly<Record<ConditionOp, string>> = {
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
  /** Absent: chips cannot be edited. */
  readonly onEdit?: (index: number) => void;
}): JSX.Element {
  const { chips, evaluations, onRemove, onEdit } = props;
  return (
    <>
      {chips.map((chip, index) => {
        const text = chipText(chip, evaluations);
        return (
          <span class="chip condition" key={text}>
            {onEdit === undefined || chip.kind === "row" ? (
              text
            ) : (
              <button
                type="button"
                class="edit"
                aria-label={`edit the filter ${text}`}
                title="edit it as a text"
                onClick={() => onEdit(index)}
              >
                {text}
              </button>
            )}
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
  const about = evaluationOf(chip);
  // An evaluation that was removed has no letter, but its condition still applies only to it.
  const scope = evaluations.find(({ id }) => id === about)?.letter ?? about;
  return `${scope === undefined ? "" : `${shown(cutText(scope, 30))}: `}${labelOf(chip)}`;
}

function labelOf(chip: Chip): string {
  if (chip.kind !== "condition") return shown(cutText(chip.label, 80));
  const value = typeof chip.value === "string" ? chip.value : JSON.stringify(chip.value);
  return `${shown(cutText(fieldText(chip.field), 60))} ${OP_TEXT[chip.op]} ${shown(cutText(value, 60))}`;
}
