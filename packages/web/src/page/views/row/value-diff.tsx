// Two values side by side: objects by path, texts by words, and mostly different ones unchanged.

import type { Json } from "@assay/base";
import { cutText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { hasPaths, jsonDiff } from "../../format/diff/json-diff.ts";
import { wordDiff } from "../../format/diff/word-diff.ts";
import { shown } from "../../format/shown.ts";
import { cutNote } from "../../format/values/value-text.ts";
import { DiffText } from "../../parts/diff-text.tsx";
import { MOST_CHARACTERS, Note } from "./output-view.tsx";

/** The most work for a diff in the drawer, in edits. */
const EDITS = 1000;

/** Two values. */
export interface DiffProps {
  readonly before: Json;
  readonly after: Json;
}

/** Two values: by path if they have paths, else by words. */
export function ValueDiff({ before, after }: DiffProps): JSX.Element {
  if (hasPaths(before, after)) return <PathDiff before={before} after={after} />;
  return <TextDiff before={textOf(before)} after={textOf(after)} />;
}

/** Two texts by words. */
export function TextDiff({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}): JSX.Element {
  const [left, right] = [before, after].map((text) => cutText(text, MOST_CHARACTERS)) as [string, string];
  const parts = wordDiff(left, right, EDITS);
  return (
    <>
      <Note text={cutNote([before, after], MOST_CHARACTERS)} />
      {parts === undefined && <Note text="mostly different" />}
      <div class="side-by-side">
        {(["removed", "added"] as const).map((side, at) => (
          <pre class="whole" dir="auto" key={side}>
            {parts === undefined ? shown([left, right][at]!) : <DiffText parts={parts} side={side} />}
          </pre>
        ))}
      </div>
    </>
  );
}

/** The number of equal values that are shown without being asked for. */
const FEW_EQUAL = 8;

function PathDiff({ before, after }: DiffProps) {
  const { changes, left } = jsonDiff(before, after);
  const equal = changes.filter(({ kind }) => kind === "equal").length + left.equal;
  const [open, setOpen] = useState(equal <= FEW_EQUAL);
  const lines = changes.filter(({ kind }) => open || kind !== "equal");
  const omitted = left.changed + (open ? left.equal : 0);
  return (
    <>
      <table class="path-diff">
        <tbody>
          {lines.map(({ path, kind, before: value, after: other }) => (
            <tr key={path} class={kind}>
              <th scope="row">{shown(path)}</th>
              <td>
                {value === undefined ? <Absent /> : <PathValue value={value} other={other} side="removed" />}
              </td>
              <td>
                {other === undefined ? <Absent /> : <PathValue value={other} other={value} side="added" />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {omitted > 0 && <Note text={`${omitted.toLocaleString("en")} more are not shown.`} />}
      {equal > FEW_EQUAL && (
        <button type="button" class="link" onClick={() => setOpen(!open)}>
          {open ? "hide equal values" : `+ ${equal.toLocaleString("en")} equal`}
        </button>
      )}
    </>
  );
}

function Absent() {
  return <span class="muted">—</span>;
}

/** A value of one side: muted if both have it, and only its own words marked if both have texts. */
function PathValue({
  value,
  other,
  side,
}: {
  readonly value: Json;
  readonly other: Json | undefined;
  readonly side: "removed" | "added";
}) {
  const text = cutText(textOf(value), MOST_CHARACTERS);
  if (other === undefined) return side === "removed" ? <del>{shown(text)}</del> : <ins>{shown(text)}</ins>;
  const others = cutText(textOf(other), MOST_CHARACTERS);
  if (text === others && typeof value === typeof other) return <span class="muted">{shown(text)}</span>;
  const [first, second] = side === "removed" ? [text, others] : [others, text];
  const parts = wordDiff(first, second, EDITS) ?? [
    { kind: "removed", text: first } as const,
    { kind: "added", text: second } as const,
  ];
  return <DiffText parts={parts} side={side} />;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, typeof value === "object" ? 2 : 0);
}
