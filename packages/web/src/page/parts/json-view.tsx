// A JSON value as a tree: objects and lists can be folded, and folded content is not drawn.

import type { Json } from "@assay/base";
import { cutText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { shown } from "../format/shown.ts";
import { valueText } from "../format/values/value-text.ts";

/** The most children drawn for one object or list. */
const MOST_CHILDREN = 200;
/** The most characters of one text. */
const MOST_TEXT = 20_000;
/** The number of characters of folded content that are shown. */
const FOLDED_TEXT = 80;

/** The value, with its first `open` levels unfolded. */
export function JsonView({
  value,
  open = 1,
  name,
}: {
  readonly value: Json;
  readonly open?: number;
  readonly name?: string;
}): JSX.Element {
  const [isOpen, setOpen] = useState(open > 0);
  const label = name === undefined ? null : <span class="json-key">{shown(name)}: </span>;
  if (typeof value !== "object" || value === null)
    return (
      <div class="json-leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  const entries = Object.entries(value) as [string, Json][];
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0)
    return (
      <div class="json-leaf">
        {label}
        <span class="muted">{Array.isArray(value) ? "[]" : "{}"}</span>
      </div>
    );
  return (
    <details class="json" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span class="muted">
          {size}
          {!isOpen && ` ${shown(cutText(valueText(value), FOLDED_TEXT))}`}
        </span>
      </summary>
      {isOpen &&
        entries
          .slice(0, MOST_CHILDREN)
          .map(([key, child]) => <JsonView key={key} name={key} value={child} open={open - 1} />)}
      {isOpen && entries.length > MOST_CHILDREN && (
        <div class="muted">… {(entries.length - MOST_CHILDREN).toLocaleString("en")} more</div>
      )}
    </details>
  );
}

function Leaf({ value }: { readonly value: string | number | boolean | null }) {
  if (typeof value === "string") return <span class="json-text">{shown(cutText(value, MOST_TEXT))}</span>;
  return <span class="json-value">{String(value)}</span>;
}
