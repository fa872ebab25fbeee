// The comparison: the verdict, the scores, and the rows below them, all on the first screen.

import type { KeptDirection, MeasureComparison } from "@assay/eval-engine";
import { measureName } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ListedEvaluation, PageRow } from "../../data/answers.ts";
import { choose, pairOf, pairText } from "../../data/choose.ts";
import { disagreement, useComparison } from "../../data/hooks/use-comparison.ts";
import { useQuery } from "../../data/hooks/use-query.ts";
import { useWatched } from "../../data/hooks/use-watched.ts";
import { type Chosen, PAGE_ROWS } from "../../data/questions.ts";
import { shown } from "../../format/shown.ts";
import { ScoreTable } from "../../parts/score-table.tsx";
import { Busy, Guarded, Refused } from "../../parts/states.tsx";
import { Verdict } from "../../parts/verdict.tsx";
import { changed, type Parts, useApp } from "../../state/app.tsx";
import { comparisonKeys } from "../../state/comparison-keys.ts";
import { useKeys } from "../../state/keys.ts";
import type { Change, CompareRoute } from "../../state/page-route.ts";
import { useLatest } from "../../state/use-latest.ts";
import { HowToLog } from "../how-to-log.tsx";
import { RowDrawer } from "../row/row-drawer.tsx";
import { ComparisonToolbar, TAB_TEXT } from "./comparison-toolbar.tsx";
import { copied, EvaluationBar, linkOf } from "./evaluation-bar.tsx";
import { Matrix } from "./matrix.tsx";
import { SingleResult } from "./single-result.tsx";
import { TabPanel } from "./tab-panel.tsx";

/** A comparison of a project. */
export function Compare({ place }: { readonly place: CompareRoute }): JSX.Element {
  const { api, refresh } = useApp();
  const named = place.evaluations.length > 0;
  // Listed again for evaluations that another link names: they may be new.
  const found = useQuery(
    JSON.stringify([place.project, place.evaluations, refresh.value]),
    async (signal) => {
      const listed = await api.evaluations(place.project, signal);
      return { listed, pair: named ? undefined : await pairOf(api, place.project, listed, signal) };
    },
  );
  const chosen = useMemo(
    () => (found.value === undefined ? undefined : choose(place, found.value.listed, found.value.pair)),
    [place, found.value],
  );
  if (found.error !== undefined) return <Refused error={found.error} />;
  if (found.value === undefined) return <Busy on />;
  if (chosen === undefined) return <HowToLog project={place.project} />;
  return <Comparison chosen={chosen} listed={found.value.listed} among={pairText(found.value.pair)} />;
}

interface ComparisonProps {
  readonly chosen: Chosen;
  readonly listed: readonly ListedEvaluation[];
  /** How the evaluations were chosen, if none were named and there was a choice. */
  readonly among: string | undefined;
}

function Comparison({ chosen, listed, among }: ComparisonProps) {
  const app = useApp();
  const { api, refresh } = app;
  const { place, baseline, candidate } = chosen;
  const [cursor, setCursor] = useState(0);
  const [adding, setAdding] = useState(false);
  const [exporting, setExporting] = useState(false);
  const go = useLatest((parts: Parts, replace?: boolean) => app.go(changed(place, parts), replace));
  const watched = useWatched(place.project, listed, chosen.evaluations);
  const data = useComparison(chosen, listed);
  const { all, compared, directions, error, evaluations, focus, measures, rows, rowsKey, summary, total } =
    data;
  useEffect(() => setCursor(0), [rowsKey]);
  // The row that the keyboard went to, until it is loaded.
  const awaited = useRef<number | undefined>(undefined);
  // A link opens a row at any position; the keyboard continues from it.
  useEffect(() => {
    const current = rows.row(cursor);
    if (place.row === undefined || current?.row_digest === place.row) return;
    if (awaited.current === cursor) {
      if (current !== undefined) open(current);
      return;
    }
    const found = Array.from({ length: Math.min(total, PAGE_ROWS) }, (_, at) => at);
    const at = found.find((index) => rows.row(index)?.row_digest === place.row);
    if (at !== undefined) setCursor(at);
  }, [place.row, rows.latest]);

  const open = useLatest((row: PageRow) =>
    go({ row: row.row_digest, trials: [0, 0] }, place.row !== undefined),
  );
  const onFocus = useLatest((field: string) => go({ measure: field }));
  const onLook = useLatest((field: string) => go({ measure: field, tab: "distribution" }));
  const onTurn = useLatest(({ field, direction }: MeasureComparison) =>
    api.sayDirection(place.project, field, nextDirection(direction)).then(
      () => {
        // The link would override the direction that was just set.
        if (place.lower.includes(field)) go({ lower: place.lower.filter((one) => one !== field) });
        refresh.value++;
      },
      (reason: Error) =>
        app.say(`the direction of ${shown(measureName(field))} was not saved: ${reason.message}`),
    ),
  );
  const onCount = useLatest((change: Change) =>
    go({ change, tab: "rows", chips: place.chips.filter(({ kind }) => kind !== "row") }),
  );
  const move = (to: number) => {
    const at = Math.max(0, Math.min(total - 1, to));
    setCursor(at);
    const row = rows.row(at);
    awaited.current = row === undefined ? at : undefined;
    if (place.row !== undefined && row !== undefined) open(row);
  };
  useKeys(
    comparisonKeys({
      place,
      baseline,
      candidate,
      measures: data.fields,
      cursor,
      go,
      move,
      open: () => {
        const row = rows.row(cursor);
        if (row !== undefined) open(row);
      },
      filter: () => setAdding(true),
      take: () => setExporting(true),
      update: () => refresh.value++,
      disagrees: (at) => disagreement(rows.row(at), chosen, rows.latest?.measures ?? [], focus),
      total,
      copy: () => void copied(linkOf(chosen), "the link", app.say),
    }),
  );

  // The shown data answers the previous question.
  const outdated = error !== undefined && rows.latest !== undefined ? " outdated" : "";
  const named = (id: string | undefined) => evaluations.find((one) => one.id === id);
  const [inFocus] = measures;
  // Why there is no measure to compare.
  const nothing = all !== undefined && inFocus === undefined ? all.warnings : [];
  const [left, right] = [named(baseline), named(candidate)];
  return (
    <div class={`compare${place.row === undefined ? "" : " with-drawer"}`}>
      <h1 class="unseen">
        {place.project}: {evaluations.map(({ name }) => name).join(", ")}
      </h1>
      <EvaluationBar
        chosen={chosen}
        among={among}
        compared={compared.value}
        evaluations={evaluations}
        columns={data.columns}
        listed={listed}
        watched={watched}
        question={data.question}
        total={total}
        exporting={exporting}
        onExport={setExporting}
        onGo={go}
      />
      <Busy on={rows.loading || compared.loading} />
      {error !== undefined && <Refused error={error} />}
      {outdated !== "" && <p class="muted before">The results below answer the previous question.</p>}
      <div class={`hero${outdated}`}>
        <Guarded>
          {left !== undefined && right !== undefined && all !== undefined && inFocus !== undefined && (
            <>
              <Verdict
                compared={all}
                measure={inFocus}
                evaluations={evaluations}
                baseline={left}
                candidate={right}
                filtered={place.chips.some(({ kind }) => kind !== "row")}
                biased={app.picked.value}
                picked={place.chips.some(({ kind }) => kind === "row")}
                onChange={onCount}
              />
              <ScoreTable
                compared={all}
                measures={measures}
                evaluations={data.columns}
                baseline={left.id}
                candidate={right.id}
                focus={focus}
                onFocus={onFocus}
                onLook={onLook}
                onTurn={onTurn}
              />
            </>
          )}
          {(baseline === undefined || nothing.length > 0) && summary.value !== undefined && (
            <>
              {baseline === undefined && focus !== undefined && (
                <SingleResult chosen={chosen} measure={focus} kind={data.kind} />
              )}
              <Matrix
                summary={summary.value.summary}
                evaluations={evaluations}
                compared={undefined}
                baseline={undefined}
                focus={focus}
                onFocus={onFocus}
              />
            </>
          )}
          {nothing.map(({ text }) => (
            <p key={text} class="line muted">
              {shown(text)}
            </p>
          ))}
        </Guarded>
      </div>
      <ComparisonToolbar place={place} data={data} adding={adding} onAdding={setAdding} onGo={go} />
      <div class={`stage${outdated}`} id="shown" role="tabpanel" aria-label={TAB_TEXT[place.tab]}>
        <TabPanel
          chosen={chosen}
          data={data}
          cursor={cursor}
          onCursor={setCursor}
          onOpen={open}
          onFocus={onFocus}
          onGo={go}
        />
        {place.row !== undefined && (
          <Guarded>
            <RowDrawer
              key={place.row}
              digest={place.row}
              chosen={chosen}
              evaluations={evaluations}
              directions={directions}
              position={
                rows.row(cursor)?.row_digest === place.row
                  ? `${(cursor + 1).toLocaleString("en")} of ${total.toLocaleString("en")}`
                  : ""
              }
              onGo={go}
              onMove={(by) => move(cursor + by)}
            />
          </Guarded>
        )}
      </div>
    </div>
  );
}

/** The next direction when a reader cycles through them. */
function nextDirection(direction: MeasureComparison["direction"]): KeptDirection {
  return direction === "higher" ? "lower" : direction === "lower" ? "none" : "higher";
}
