// One row in full: its input, the answers of two evaluations with their differences, the scores of each trial with
// reasons, and the calls.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { EvalResultsRow, EvalResultsTrial } from "@assay/eval-engine";
import { cutText, measureName, rowDifference, signedText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useQuery } from "../../data/hooks/use-query.ts";
import { type Chosen, rowBody } from "../../data/questions.ts";
import { changeTone, type Directions } from "../../format/change-tone.ts";
import { hasPaths, jsonDiff } from "../../format/diff/json-diff.ts";
import { wordDiff } from "../../format/diff/word-diff.ts";
import type { NamedEvaluation } from "../../format/evaluation-names.ts";
import { scoreLeaves } from "../../format/score-leaves.ts";
import { shown } from "../../format/shown.ts";
import { durationText } from "../../format/time.ts";
import { cutNote, valueText } from "../../format/value-text.ts";
import { DiffText } from "../../parts/diff-text.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { Letter } from "../../parts/letter.tsx";
import { Busy, Refused } from "../../parts/states.tsx";
import { Trials } from "../../parts/trials.tsx";
import { linkTo, type Parts, useApp } from "../../state/app.tsx";
import { Trace } from "../trace.tsx";

/** The most work for a diff in the drawer, in edits, and the most characters it compares. */
const EDITS = 1000;
const CHARACTERS = 20_000;

/** Properties of the drawer. */
export interface RowDrawerProps {
  readonly digest: string;
  readonly chosen: Chosen;
  readonly evaluations: readonly NamedEvaluation[];
  readonly directions: Directions;
  /** `3 of 72`; empty if unknown. */
  readonly position: string;
  readonly onGo: (parts: Parts, replace?: boolean) => void;
  readonly onMove: (by: number) => void;
}

/** The drawer. */
export function RowDrawer(props: RowDrawerProps): JSX.Element {
  const { digest, chosen, position, onGo, onMove } = props;
  const { api, refresh } = useApp();
  const self = useRef<HTMLElement>(null);
  const body = rowBody(chosen.evaluations, digest);
  const loaded = useQuery(JSON.stringify([chosen.place.project, body, refresh.value]), (signal) =>
    api.query(chosen.place.project, body, signal),
  );
  const row = loaded.value?.rows[0];
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      // After the drawer is closed by keyboard, the focus returns to the row that opened it.
      if (before instanceof HTMLElement && self.current?.contains(document.activeElement)) before.focus();
    };
  }, []);
  return (
    <aside class="drawer" ref={self} aria-label={`Row ${position}`.trim()}>
      <header class="line">
        <strong>{position === "" ? "Row" : `Row ${position}`}</strong>
        <button type="button" class="quiet" aria-label="↑ k, previous row" onClick={() => onMove(-1)}>
          ↑ k
        </button>
        <button type="button" class="quiet" aria-label="↓ j, next row" onClick={() => onMove(1)}>
          ↓ j
        </button>
        <span class="spring" />
        <code class="muted digest">{digest.slice(0, 12)}</code>
        <button
          type="button"
          class="quiet"
          aria-label="close the row"
          onClick={() => onGo({ row: undefined })}
        >
          ✕
        </button>
      </header>
      <Busy on={loaded.loading} />
      {loaded.error !== undefined && <Refused error={loaded.error} />}
      {loaded.value !== undefined && row === undefined && (
        <p class="notice">None of the compared evaluations has this row.</p>
      )}
      {row !== undefined && <RowBody {...props} row={row} />}
    </aside>
  );
}

function RowBody({
  row,
  chosen,
  evaluations,
  directions,
  onGo,
}: RowDrawerProps & { readonly row: EvalResultsRow }) {
  // A file has no models.
  const { served } = useApp();
  const { baseline, candidate, place } = chosen;
  const trialsOf = (id: string | undefined): readonly EvalResultsTrial[] =>
    row.evaluations.find(({ evaluation_call_id }) => evaluation_call_id === id)?.trials ?? [];
  const [left, right] = [trialsOf(baseline), trialsOf(candidate)];
  const [leftAt, rightAt] = [clamped(place.trials[0], left), clamped(place.trials[1], right)];
  const named = (id: string | undefined) => evaluations.find((one) => one.id === id);
  const sides = [
    {
      one: named(baseline),
      trials: left,
      at: leftAt,
      pick: (at: number): Parts => ({ trials: [at, rightAt] }),
    },
    {
      one: named(candidate),
      trials: right,
      at: rightAt,
      pick: (at: number): Parts => ({ trials: [leftAt, at] }),
    },
  ].filter(({ one }) => one !== undefined);
  const outputs = [left[leftAt]?.model_output ?? null, right[rightAt]?.model_output ?? null] as readonly [
    Json,
    Json,
  ];
  const raw = row.raw_data_row as Json;
  return (
    <div class="drawer-body">
      <section>
        <h2>Row</h2>
        <Input value={raw} />
      </section>
      <section>
        <h2>Output</h2>
        <div class="line">
          {sides.map(({ one, trials, at, pick }) => (
            <span class="picker" key={one!.id}>
              <Letter index={one!.index} /> {one!.name}{" "}
              {trials.length > 1 &&
                trials.map((trial, index) => (
                  <button
                    type="button"
                    key={trial.predict_and_score_call_id}
                    class="chip small"
                    aria-pressed={index === at}
                    aria-label={`trial ${index + 1} of ${one!.name}`}
                    onClick={() => onGo(pick(index), true)}
                  >
                    {index + 1}
                  </button>
                ))}
              {trials.length === 0 && <span class="muted">does not have this row</span>}
            </span>
          ))}
        </div>
        {baseline !== undefined ? (
          <OutputDiff before={outputs[0]} after={outputs[1]} marked={place.diff} />
        ) : outputs[1] === null ? (
          <NoOutput />
        ) : (
          <Output value={outputs[1]} />
        )}
      </section>
      <section>
        <h2>Scores</h2>
        <Scores
          sides={sides.map(({ one, trials, at }) => ({ one: one!, trials, at }))}
          directions={directions}
        />
      </section>
      <section>
        <h2>Trace</h2>
        {sides.map(
          ({ one, trials, at }) =>
            trials[at] !== undefined && (
              <div key={one!.id} class="trace">
                <Letter index={one!.index} />
                <Trace project={place.project} trial={trials[at]} />
              </div>
            ),
        )}
        {served && <AskAgain raw={raw} />}
      </section>
    </div>
  );
}

function clamped(at: number, trials: readonly EvalResultsTrial[]): number {
  return Math.max(0, Math.min(trials.length - 1, at));
}

function Input({ value }: { readonly value: Json }) {
  if (!isJsonObject(value)) return <Output value={value} />;
  return (
    <dl class="fields">
      {Object.entries(value).map(([key, part]) => (
        <div key={key}>
          <dt>{shown(key)}</dt>
          <dd>
            {typeof part === "object" && part !== null ? (
              <JsonView value={part as Json} />
            ) : (
              <span class="whole">{shown(cutText(String(part), CHARACTERS))}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Output({ value }: { readonly value: Json }) {
  if (typeof value === "object" && value !== null) return <JsonView value={value} open={3} />;
  const text = valueText(value);
  return (
    <>
      <Note text={cutNote([text], CHARACTERS)} />
      <pre class="whole">{shown(cutText(text, CHARACTERS))}</pre>
    </>
  );
}

/** In place of the output of a trial that has none, mostly because it failed: its trace has the error. */
function NoOutput() {
  return <p class="muted">no output</p>;
}

function Note({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : <p class="muted">{text}</p>;
}

/** Two outputs side by side: objects by path, texts by words, and mostly different ones unchanged. */
function OutputDiff({
  before,
  after,
  marked,
}: {
  readonly before: Json;
  readonly after: Json;
  readonly marked: boolean;
}) {
  if (marked && hasPaths(before, after)) return <PathDiff before={before} after={after} />;
  const texts = [before, after].map(textOf);
  const [left, right] = texts.map((text) => cutText(text, CHARACTERS)) as [string, string];
  // A missing answer is not a difference of words.
  const compared = marked && before !== null && after !== null;
  const parts = compared ? wordDiff(left, right, EDITS) : undefined;
  return (
    <>
      <Note text={cutNote(texts, CHARACTERS)} />
      {compared && parts === undefined && <Note text="mostly different" />}
      <div class="side-by-side">
        {(["removed", "added"] as const).map((side, i) =>
          [before, after][i] === null ? (
            <NoOutput key={side} />
          ) : (
            <pre class="whole" key={side}>
              {parts === undefined ? shown([left, right][i]!) : <DiffText parts={parts} side={side} />}
            </pre>
          ),
        )}
      </div>
    </>
  );
}

function PathDiff({ before, after }: { readonly before: Json; readonly after: Json }) {
  const changes = jsonDiff(before, after);
  const equal = changes.filter(({ kind }) => kind === "equal");
  const [open, setOpen] = useState(equal.length <= 8);
  const lines = changes.filter(({ kind }) => open || kind !== "equal");
  return (
    <>
      <table class="path-diff">
        <tbody>
          {lines.map(({ path, kind, before: left, after: right }) => (
            <tr key={path} class={kind}>
              <th scope="row">{shown(path)}</th>
              <td>
                {left === undefined ? (
                  <span class="muted">—</span>
                ) : (
                  <PathValue value={left} kind={kind} side="removed" />
                )}
              </td>
              <td>
                {right === undefined ? (
                  <span class="muted">—</span>
                ) : (
                  <PathValue value={right} kind={kind} side="added" />
                )}
              </td>
              <td class="muted">{kind === "equal" ? "equal" : kind}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {equal.length > 8 && (
        <button type="button" class="link" onClick={() => setOpen(!open)}>
          {open ? "hide equal values" : `+ ${equal.length} equal`}
        </button>
      )}
    </>
  );
}

function PathValue({
  value,
  kind,
  side,
}: {
  readonly value: Json;
  readonly kind: string;
  readonly side: "removed" | "added";
}) {
  const text = shown(cutText(textOf(value), CHARACTERS));
  if (kind === "equal") return <span class="muted">{text}</span>;
  return side === "removed" ? <del>{text}</del> : <ins>{text}</ins>;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, typeof value === "object" ? 2 : 0);
}

interface ScoreSide {
  readonly one: NamedEvaluation;
  readonly trials: readonly EvalResultsTrial[];
  readonly at: number;
}

/** Every score of the row, over the trials of both sides. */
function Scores({
  sides,
  directions,
}: {
  readonly sides: readonly ScoreSide[];
  readonly directions: Directions;
}) {
  const leaves = sides.map(({ trials }) => trials.map((trial) => scoreLeaves(trial.scores as Json)));
  const fields = [...new Set(leaves.flat().flatMap((leaf) => [...leaf.keys()]))];
  const latencies = sides.map(({ trials }) => trials.map(({ model_latency_seconds: seconds }) => seconds));
  if (fields.length === 0) return <p class="muted">No trial of this row has a score.</p>;
  return (
    <table class="score-table">
      <thead>
        <tr>
          <th scope="col">score</th>
          {sides.map(({ one }) => (
            <th scope="col" key={one.id}>
              <Letter index={one.index} />
            </th>
          ))}
          {sides.length === 2 && <th scope="col">difference</th>}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => {
          const values = leaves.map((trials) => trials.map((leaf) => leaf.get(field) ?? null));
          const means = values.map(meanOf);
          const [a, b] = means;
          const by = a == null || b == null ? null : rowDifference(a, b);
          const tone = changeTone(by, directions.get(field));
          return (
            <tr key={field}>
              <th scope="row">{shown(measureName(field))}</th>
              {values.map((of, side) => (
                <td key={sides[side]!.one.id}>
                  {of.some((value) => typeof value === "string") ? (
                    shown(cutText(String(of[sides[side]!.at] ?? "—"), 200))
                  ) : (
                    <Trials values={of as (boolean | number | null)[]} />
                  )}
                </td>
              ))}
              {sides.length === 2 && (
                <td class={`number ${by === null || by === 0 ? "muted" : tone}`}>
                  {by === null
                    ? ""
                    : by === 0
                      ? "="
                      : `${{ better: "▲ ", worse: "▼ ", even: "" }[tone]}${signedText(by)}`}
                </td>
              )}
            </tr>
          );
        })}
        <tr>
          <th scope="row">latency</th>
          {latencies.map((of, side) => {
            const mean = meanOf(of);
            return <td key={sides[side]!.one.id}>{mean === null ? "—" : durationText(mean)}</td>;
          })}
          {sides.length === 2 && <td />}
        </tr>
        <tr>
          <th scope="row">tokens</th>
          {sides.map(({ one, trials }) => {
            const mean = meanOf(trials.map(({ total_tokens: tokens }) => tokens));
            return <td key={one.id}>{mean === null ? "—" : mean.toLocaleString("en")}</td>;
          })}
          {sides.length === 2 && <td />}
        </tr>
      </tbody>
    </table>
  );
}

function meanOf(values: readonly (boolean | number | string | null)[]): number | null {
  const numbers = values.flatMap((value) =>
    value === null || typeof value === "string" ? [] : Number(value),
  );
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

/** Opens the row's question in a chat with models of this server. */
function AskAgain({ raw }: { readonly raw: Json }) {
  const { go } = useApp();
  const text = typeof raw === "string" ? raw : firstText(raw);
  if (text === undefined) return null;
  return (
    <a
      href={linkTo({ view: "chat", models: [], rest: [["q", text]] })}
      onClick={(event) => {
        event.preventDefault();
        go({ view: "chat", models: [], rest: [["q", text]] });
      }}
    >
      Ask this in Chat
    </a>
  );
}

function firstText(value: Json): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const entries = Object.entries(value).filter(([, part]) => typeof part === "string") as [string, string][];
  const asked = /question|prompt|instruction|query|problem|input|text|task|message/i;
  return (entries.find(([key]) => asked.test(key)) ?? entries[0])?.[1];
}
