// One row in full: its input, the answers of two evaluations with their differences, the scores of each trial with
// reasons, and the calls.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { EvalResultsRow, EvalResultsTrial } from "@assay/eval-engine";
import { cutText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useQuery } from "../../data/hooks/use-query.ts";
import { type Chosen, rowBody } from "../../data/questions.ts";
import type { Directions } from "../../format/change-tone.ts";
import type { NamedEvaluation } from "../../format/evaluation-names.ts";
import { shown } from "../../format/shown.ts";
import { askedText, expectedOutput } from "../../format/values/row-title.ts";
import { Letter } from "../../parts/letter.tsx";
import { Busy, Refused } from "../../parts/states.tsx";
import { linkTo, type Parts, useApp } from "../../state/app.tsx";
import { Failure, Trace } from "../trace.tsx";
import { OutputDiff } from "./output-diff.tsx";
import { MOST_CHARACTERS, OutputView, ValueView } from "./output-view.tsx";
import { RowScores } from "./row-scores.tsx";

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
  const compared = [left[leftAt], right[rightAt]] as const;
  const [before, after] = compared.map((trial) => (trial?.model_output ?? null) as Json) as [Json, Json];
  const missing = compared.map((trial, at) => <Failure key={at} project={place.project} trial={trial} />) as [
    JSX.Element,
    JSX.Element,
  ];
  const raw = row.raw_data_row as Json;
  const expected = expectedOutput(raw) ?? null;
  const isAgainst = place.expected && expected !== null;
  return (
    <div class="drawer-body">
      <section>
        <h2>Row</h2>
        <Fields value={raw} />
      </section>
      <section>
        <h2>Output</h2>
        <div class="line">
          {isAgainst && <span class="picker">expected</span>}
          {sides.slice(isAgainst ? -1 : 0).map(({ one, trials, at, pick }) => (
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
          {expected !== null && (
            <button
              type="button"
              class="chip small"
              aria-pressed={place.expected}
              onClick={() => onGo({ expected: !place.expected }, true)}
            >
              against expected
            </button>
          )}
        </div>
        {isAgainst ? (
          <OutputDiff before={expected} after={after} marked missing={missing} />
        ) : baseline !== undefined ? (
          <OutputDiff before={before} after={after} marked={place.diff} missing={missing} />
        ) : (
          <OutputView value={after} missing={missing[1]} />
        )}
      </section>
      <section>
        <h2>Scores</h2>
        <RowScores
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

/** The fields of the row. */
function Fields({ value }: { readonly value: Json }) {
  if (!isJsonObject(value)) return <ValueView value={value} />;
  return (
    <dl class="fields">
      {Object.entries(value).map(([key, part]) => (
        <div key={key}>
          <dt>{shown(key)}</dt>
          <dd>
            {typeof part === "object" && part !== null ? (
              <ValueView value={part as Json} />
            ) : (
              <span class="whole" dir="auto">
                {shown(cutText(String(part), MOST_CHARACTERS))}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Opens the row's question in a chat with models of this server. */
function AskAgain({ raw }: { readonly raw: Json }) {
  const { go } = useApp();
  const text = askedText(raw);
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
