// The rows of a comparison, as a table that draws only visible rows: browsers draw a few hundred nodes in a frame, but
// not many thousand.

import { cutText, measureName, signedText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PageCell, PageRow, Preview } from "../data/answers.ts";
import type { Rows } from "../data/hooks/use-rows.ts";
import { useSlow } from "../data/hooks/use-slow.ts";
import { type ChangeTone, changeTone, type Directions } from "../format/change-tone.ts";
import { wordDiff } from "../format/diff/word-diff.ts";
import type { NamedEvaluation } from "../format/evaluation-names.ts";
import { shown } from "../format/shown.ts";
import { conversationOf, lastText } from "../format/values/conversation.ts";
import { rowTitle } from "../format/values/row-title.ts";
import { valueText } from "../format/values/value-text.ts";
import { rowWindow } from "../format/windowing.ts";
import { memo } from "../state/memo.ts";
import { DiffText } from "./diff-text.tsx";
import { Letter } from "./letter.tsx";
import { Trials } from "./trials.tsx";

/** Heights of a row in pixels, as in the style sheet, for texts of the usual size. */
const ROW_HEIGHT = { comfortable: 96, dense: 44 } as const;
/** The usual text size in pixels. */
const USUAL_TEXT = 13;
/** The most rows that can be scrolled: browsers draw no element higher than about 17 million pixels. */
const MOST_ROWS = 150_000;
/** The most work for a diff in a cell, in edits. */
const CELL_EDITS = 100;
/** The number of scores in a cell in addition to the one in focus. */
const MORE_SCORES = 2;

const NONE: readonly string[] = [];

/** Properties of the grid. */
export interface GridProps {
  readonly rows: Rows;
  readonly evaluations: readonly NamedEvaluation[];
  readonly baseline: string | undefined;
  /** The evaluation that n, p and the order of rows refer to. */
  readonly candidate: string;
  /** The measure in focus. */
  readonly measure: string | undefined;
  /** Measures where lower is better. */
  readonly directions: Directions;
  readonly diff: boolean;
  readonly dense: boolean;
  /** The row with the keyboard cursor. */
  readonly cursor: number;
  readonly onCursor: (index: number) => void;
  readonly onOpen: (row: PageRow, index: number) => void;
  /** The digest of the row in the drawer. */
  readonly open: string | undefined;
}

/** The grid. */
export function Grid(props: GridProps): JSX.Element {
  const { rows, evaluations, dense, cursor } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600, scale: 1 });
  const rowHeight = view.scale * (dense ? ROW_HEIGHT.dense : ROW_HEIGHT.comfortable);
  const total = Math.min(MOST_ROWS, rows.latest?.total_rows ?? 0);
  const { from, to } = rowWindow({ ...view, rowHeight, total });
  const drawn = Array.from({ length: to - from }, (_, i) => from + i);

  useEffect(() => rows.need(from, to));
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return undefined;
    let scale = 1;
    const measure = (): void =>
      setView((before) =>
        before.top === box.scrollTop && before.height === box.clientHeight && before.scale === scale
          ? before
          : { top: box.scrollTop, height: box.clientHeight, scale },
      );
    const resized = new ResizeObserver(() => {
      scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_TEXT;
      measure();
    });
    measure();
    resized.observe(box);
    box.addEventListener("scroll", measure, { passive: true });
    return () => {
      resized.disconnect();
      box.removeEventListener("scroll", measure);
    };
  }, []);
  // Scrolls the row under the cursor into view, below the fixed header.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const head = box.querySelector("thead")?.clientHeight ?? 0;
    const top = cursor * rowHeight;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + rowHeight > box.scrollTop + box.clientHeight - head)
      box.scrollTop = top + rowHeight - box.clientHeight + head;
  }, [cursor, rowHeight]);

  const slow = useSlow(rows.loading);
  const { measures = NONE } = rows.latest ?? {};
  const names = useMemo(() => measures.map((field) => shown(measureName(field))), [measures]);

  return (
    <div class={`grid-box${slow ? " slow" : ""}`} ref={scroller}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows the keyboard goes through is a grid */}
      <table class={`grid${dense ? " dense" : ""}`} role="grid" aria-rowcount={total + 1} aria-label="Rows">
        <colgroup>
          <col class="row-column" />
          {evaluations.map(({ id }) => (
            <col key={id} class={sideOf(id, props.candidate)} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">row</th>
            {evaluations.map((one) => (
              <th scope="col" key={one.id} class={sideOf(one.id, props.candidate)}>
                <Letter index={one.index} /> {one.name}
                {one.id === props.baseline && <span class="muted"> baseline</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space rows={from} height={rowHeight} />
          {drawn.map((index) => {
            const row = rows.row(index);
            return row === undefined ? (
              <tr key={index} class="row waiting" aria-rowindex={index + 2}>
                <td colSpan={evaluations.length + 1}>
                  <span class="skeleton" />
                </td>
              </tr>
            ) : (
              <Row
                // Keyed by position, so that a new order reuses existing elements.
                key={index}
                row={row}
                index={index}
                measures={measures}
                names={names}
                evaluations={evaluations}
                baseline={props.baseline}
                candidate={props.candidate}
                measure={props.measure}
                directions={props.directions}
                diff={props.diff}
                dense={dense}
                current={index === cursor}
                open={row.row_digest === props.open}
                onCursor={props.onCursor}
                onOpen={props.onOpen}
              />
            );
          })}
          <Space rows={total - to} height={rowHeight} />
        </tbody>
      </table>
    </div>
  );
}

/** The evaluation to show if there is room for only one: the candidate. */
function sideOf(id: string, candidate: string): string {
  return id === candidate ? "" : "beside";
}

/** The height of rows that are not drawn. */
function Space({ rows, height }: { readonly rows: number; readonly height: number }) {
  if (rows <= 0) return null;
  return (
    <tr class="space">
      <td height={rows * height} />
    </tr>
  );
}

interface RowProps {
  readonly row: PageRow;
  readonly index: number;
  readonly measures: readonly string[];
  /** Their names. */
  readonly names: readonly string[];
  readonly evaluations: readonly NamedEvaluation[];
  readonly baseline: string | undefined;
  readonly candidate: string;
  readonly measure: string | undefined;
  readonly directions: Directions;
  readonly diff: boolean;
  readonly dense: boolean;
  readonly current: boolean;
  readonly open: boolean;
  readonly onCursor: (index: number) => void;
  readonly onOpen: (row: PageRow, index: number) => void;
}

const Row = memo(function Row(props: RowProps) {
  const { row, index, evaluations, baseline, dense, current } = props;
  const cells = new Map(row.evaluations.map((cell) => [cell.evaluation_call_id, cell]));
  const before = baseline === undefined ? undefined : cells.get(baseline);
  const self = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // The focus follows the cursor, but is never taken from another control.
    const inGrid = self.current?.closest(".grid")?.contains(document.activeElement);
    if (current && inGrid) self.current?.focus({ preventScroll: true });
  }, [current]);
  return (
    <tr
      ref={self}
      class={`row${current ? " current" : ""}${props.open ? " open" : ""}`}
      aria-rowindex={index + 2}
      aria-selected={props.open}
      tabIndex={current ? 0 : -1}
      onClick={(event) => {
        // Selecting text does not open the row.
        if (document.getSelection()?.isCollapsed === false) return;
        event.currentTarget.focus({ preventScroll: true });
        props.onCursor(index);
        props.onOpen(row, index);
      }}
      onKeyDown={(event) => event.key === "Enter" && props.onOpen(row, index)}
    >
      <th scope="row">
        <div class="cell">
          <RowHead preview={row.row} digest={row.row_digest} />
        </div>
      </th>
      {evaluations.map(({ id }) => (
        <td key={id} class={sideOf(id, props.candidate)}>
          <Cell {...props} cell={cells.get(id)} before={id === baseline ? undefined : before} dense={dense} />
        </td>
      ))}
    </tr>
  );
});

/** The row: its title, and the rest of its fields. */
function RowHead({ preview, digest }: { readonly preview: Preview | null; readonly digest: string }) {
  const value = preview?.value ?? null;
  const { title, rest } = value === null ? { title: digest.slice(0, 10), rest: "" } : rowTitle(value);
  return (
    <>
      <div class="row-title" dir="auto">
        {shown(cutText(title, 200))}
      </div>
      {rest !== "" && <div class="row-rest">{shown(cutText(rest, 200))}</div>}
    </>
  );
}

interface CellProps extends RowProps {
  readonly cell: PageCell | undefined;
  /** The baseline's cell; undefined in the baseline's own column. */
  readonly before: PageCell | undefined;
}

function Cell({ cell, before, measures, names, measure, directions, diff, dense }: CellProps) {
  if (cell === undefined) return <div class="cell muted">not in this evaluation</div>;
  const text = outputText(cell);
  // A missing answer is not a difference of words.
  const compared = diff && before !== undefined ? outputText(before) : undefined;
  const marked =
    text === undefined || compared === undefined ? undefined : wordDiff(compared, text, CELL_EDITS);
  const focus = measure === undefined ? -1 : measures.indexOf(measure);
  return (
    <div class="cell">
      <div class="output" dir="auto">
        {text === undefined ? (
          <span class="muted">no output</span>
        ) : marked !== undefined ? (
          <DiffText parts={marked} side="added" />
        ) : (
          shown(text)
        )}
        {text !== undefined && compared !== undefined && marked === undefined && (
          <span class="muted"> mostly different</span>
        )}
      </div>
      {shownMeasures(cell, measures, { focus, more: dense ? 0 : MORE_SCORES }).map((at, place) => (
        // Keyed by position, like rows: another score reuses the existing line.
        <div class="score" key={place}>
          <span class="score-name">{names[at]}</span>{" "}
          <Trials values={cell.trials.map(({ values }) => values[at] ?? null)} />
          <Difference
            value={cell.differences?.[at] ?? null}
            tone={changeTone(cell.differences?.[at] ?? null, directions.get(measures[at]!))}
          />
        </div>
      ))}
    </div>
  );
}

/** The measures in a cell: the one in focus, and scores that changed. */
function shownMeasures(
  cell: PageCell,
  measures: readonly string[],
  { focus, more }: { readonly focus: number; readonly more: number },
): readonly number[] {
  const moved = (cell.differences ?? [])
    .flatMap((difference, at) => (difference === null || difference === 0 || at === focus ? [] : at))
    .filter((at) => measures[at]?.startsWith("scores."))
    .slice(0, more);
  return focus === -1 ? moved : [focus, ...moved];
}

function Difference({ value, tone }: { readonly value: number | null; readonly tone: ChangeTone }) {
  if (value === null || value === 0) return null;
  const by = signedText(value);
  const [glyph, word] = { better: ["▲", "better by"], worse: ["▼", "worse by"], even: ["", "differs by"] }[
    tone
  ];
  return (
    <span class={`difference ${tone}`} role="img" aria-label={`${word} ${by}`}>
      {`${glyph} ${by}`.trim()}
    </span>
  );
}

/** The output of the first trial that has one, without empty lines; undefined if none has. */
function outputText(cell: PageCell): string | undefined {
  const output = cell.trials.map((trial) => trial.output).find((one) => one.value !== null);
  if (output === undefined) return undefined;
  const conversation = conversationOf(output.value);
  const text = (conversation && lastText(conversation, "assistant")) ?? valueText(output.value);
  return `${text.replace(/\n\s*\n/g, "\n")}${output.cut ? "…" : ""}`;
}
