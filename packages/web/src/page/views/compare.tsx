// The comparison: the verdict, the scores, and the rows below them, all on the first screen.

import type { CompareResults, KeptDirection, MeasureComparison } from "@assay/eval-engine";
import { measureName } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { ListedEvaluation, PageRow } from "../data/answers.ts";
import { choose, pairOf, pairText } from "../data/choose.ts";
import { byVerdict, scoreFields } from "../data/measures.ts";
import { type Chosen, compareBody, factsBody, measureOf, pageBody, queryOf } from "../data/questions.ts";
import { usePrevious } from "../data/use-previous.ts";
import { useQuery } from "../data/use-query.ts";
import { useRows } from "../data/use-rows.ts";
import { useWatched } from "../data/use-watched.ts";
import type { Directions } from "../format/change-tone.ts";
import { type NamedEvaluation, namedEvaluations } from "../format/evaluation-names.ts";
import { shown } from "../format/shown.ts";
import { ChangeChips, ConditionChips, FilterForm } from "../parts/filter-bar.tsx";
import { Grid } from "../parts/grid.tsx";
import { Link } from "../parts/link.tsx";
import { ScoreTable } from "../parts/score-table.tsx";
import { Busy, Guarded, Refused } from "../parts/states.tsx";
import { Verdict } from "../parts/verdict.tsx";
import { changed, type Parts, useApp } from "../state/app.tsx";
import { comparisonKeys } from "../state/comparison-keys.ts";
import { useKeys } from "../state/keys.ts";
import { type Change, type CompareRoute, ORDERS, type Order, TABS, type Tab } from "../state/page-route.ts";
import { useLatest } from "../state/use-latest.ts";
import { Distribution } from "./distribution.tsx";
import { copied, EvaluationBar } from "./evaluation-bar.tsx";
import { HowToLog } from "./how-to-log.tsx";
import { Matrix } from "./matrix.tsx";
import { RankingView } from "./ranking.tsx";
import { RowDrawer } from "./row-drawer.tsx";
import { Slices } from "./slices.tsx";

/** A comparison of a project. */
export function Compare({ place }: { readonly place: CompareRoute }): JSX.Element {
  const { api, refresh } = useApp();
  const named = place.evaluations.length > 0;
  const found = useQuery(`${place.project} ${named} ${refresh.value}`, async (signal) => {
    const listed = await api.evaluations(place.project, signal);
    return { listed, pair: named ? undefined : await pairOf(api, place.project, listed, signal) };
  });
  const chosen = useMemo(
    () => (found.value === undefined ? undefined : choose(place, found.value.listed, found.value.pair)),
    [place, found.value],
  );
  if (found.error !== undefined) return <Refused error={found.error} again={() => refresh.value++} />;
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
  const evaluations = useMemo(
    () => namedEvaluations(chosen.evaluations, listed),
    [chosen.evaluations.join(" "), listed],
  );
  const [cursor, setCursor] = useState(0);
  const [adding, setAdding] = useState(false);
  const [exporting, setExporting] = useState(false);
  const go = useLatest((parts: Parts, replace?: boolean) => app.go(changed(place, parts), replace));

  const watched = useWatched(place.project, listed, chosen.evaluations);
  const base = JSON.stringify([place.project, queryOf(chosen), refresh.value]);
  const summary = useQuery(base, (signal) =>
    api.query(place.project, { ...queryOf(chosen), include_rows: false, include_summary: true }, signal),
  );
  const fields = useMemo(() => scoreFields(summary.value?.summary), [summary.value]);
  const known = place.lower.length === 0 || summary.value !== undefined;
  const body = baseline === undefined || !known ? undefined : compareBody(chosen, fields);
  const comparedKey = body && JSON.stringify([place.project, body, refresh.value]);
  const focus = place.measure ?? fields[0];

  const measure = focus === undefined ? undefined : measureOf(place, focus);
  const question = useMemo(() => pageBody(chosen, measure, 0), [chosen, focus]);
  // The order needs the measures, so rows wait until they are known.
  const rowsKey = summary.value === undefined ? undefined : JSON.stringify([question, refresh.value]);
  const rows = useRows(rowsKey, (page, signal) =>
    api.page(place.project, pageBody(chosen, measure, page), signal),
  );
  // After the rows, which take a tenth of the time.
  const compared = useQuery(comparedKey, (signal) => api.compare(place.project, body!, signal));
  const looked = usePrevious({ evaluations, baseline, candidate, focus }, rows.of === rowsKey);
  const total = rows.latest?.total_rows ?? 0;
  // After the verdict and the rows, which it would delay.
  const isTurn = body !== undefined && compared.of === comparedKey && rows.of === rowsKey;
  const factsAsked = isTurn ? factsBody(chosen, rows.latest?.measures ?? []) : undefined;
  const factsKey = factsAsked && JSON.stringify(["facts", place.project, factsAsked, refresh.value]);
  const facts = useQuery(factsKey, (signal) => api.compare(place.project, factsAsked!, signal));
  const all = useMemo(() => together(compared.value, facts.value), [compared.value, facts.value]);
  const directions: Directions = useMemo(
    () => new Map(measuresOf(all, candidate).map(({ field, direction }) => [field, direction])),
    [all, candidate],
  );
  const measures = useMemo(() => byVerdict(measuresOf(all, candidate), focus), [all, candidate, focus]);
  useEffect(() => setCursor(0), [rowsKey]);
  useEffect(() => {
    if (rows.latest !== undefined) app.say(`${total.toLocaleString("en")} rows`);
  }, [rows.latest === undefined, total]);

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
  const onChange = useLatest((change: Change | undefined) => go({ change }));
  const move = (to: number) => {
    const at = Math.max(0, Math.min(total - 1, to));
    setCursor(at);
    const row = rows.row(at);
    if (place.row !== undefined && row !== undefined) open(row);
  };
  useKeys(
    comparisonKeys({
      place,
      baseline,
      candidate,
      measures: fields,
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
      copy: () => void copied(location.href, "the link", app.say),
    }),
  );

  const error = rows.error ?? compared.error ?? summary.error;
  // What is shown answers the previous question.
  const outdated = error !== undefined && rows.latest !== undefined ? " outdated" : "";
  const named = (id: string | undefined) => evaluations.find((one) => one.id === id);
  const [inFocus] = measures;
  const [left, right] = [named(baseline), named(candidate)];
  const count = rows.latest?.counts?.all ?? undefined;
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
        listed={listed}
        watched={watched}
        question={question}
        total={total}
        exporting={exporting}
        onExport={setExporting}
        onGo={go}
      />
      <Busy on={rows.loading || compared.loading} />
      {error !== undefined && <Refused error={error} again={() => refresh.value++} />}
      {outdated !== "" && <p class="muted before">Shown below is the answer to the previous question.</p>}
      <div class={`hero${outdated}`}>
        <Guarded>
          {left !== undefined && right !== undefined && all !== undefined && inFocus !== undefined && (
            <>
              <Verdict
                compared={all}
                measure={inFocus}
                baseline={left}
                candidate={right}
                filtered={place.chips.some(({ kind }) => kind !== "row")}
                picked={place.chips.some(({ kind }) => kind === "row")}
                onChange={onCount}
              />
              <ScoreTable
                compared={all}
                measures={measures}
                evaluations={evaluations}
                baseline={left.id}
                candidate={right.id}
                focus={focus}
                onFocus={onFocus}
                onLook={onLook}
                onTurn={onTurn}
              />
            </>
          )}
          {baseline === undefined && summary.value !== undefined && (
            <Matrix
              summary={summary.value.summary}
              evaluations={evaluations}
              focus={focus}
              onFocus={onFocus}
            />
          )}
        </Guarded>
      </div>
      <div class="toolbar">
        <div class="tabs" role="tablist" aria-label="View">
          {TABS.map((tab) => (
            <button
              type="button"
              key={tab}
              role="tab"
              aria-selected={place.tab === tab}
              aria-controls="shown"
              onClick={() => go({ tab })}
            >
              {TAB_TEXT[tab]}
            </button>
          ))}
        </div>
        {place.tab === "rows" && (
          <ChangeChips
            counts={rows.latest?.counts}
            total={rows.latest?.total_rows}
            change={place.change}
            onChange={onChange}
          />
        )}
        <ConditionChips
          chips={place.chips}
          evaluations={evaluations}
          onRemove={(index) => go({ chips: place.chips.filter((_, at) => at !== index) })}
        />
        <button type="button" class="chip add" aria-expanded={adding} onClick={() => setAdding(!adding)}>
          + filter
        </button>
        <Warnings texts={summary.value?.warnings ?? []} />
        {adding && (
          <FilterForm
            project={place.project}
            evaluations={evaluations}
            onAdd={(chip) => {
              setAdding(false);
              go({ chips: [...place.chips, chip] });
            }}
            onClose={() => setAdding(false)}
          />
        )}
        <span class="spring" />
        {place.tab === "rows" && (
          <>
            <label class="quiet">
              <span class="unseen">order</span>
              <select
                value={place.order}
                onChange={(event) => go({ order: event.currentTarget.value as Order })}
              >
                {ORDERS.map((order) => (
                  <option key={order} value={order}>
                    {orderText(order, focus)}
                  </option>
                ))}
              </select>
            </label>
            <button
              type="button"
              class="chip"
              aria-pressed={place.diff}
              onClick={() => go({ diff: !place.diff }, true)}
            >
              diff
            </button>
            <button
              type="button"
              class="chip"
              aria-pressed={place.dense}
              onClick={() => go({ dense: !place.dense }, true)}
            >
              dense
            </button>
            <output class="muted took">
              {total.toLocaleString("en")}
              {count !== undefined && count !== total ? ` of ${count.toLocaleString("en")}` : ""} rows ·{" "}
              {Math.max(1, Math.round(rows.took))} ms
            </output>
          </>
        )}
      </div>
      <div class={`stage${outdated}`} id="shown" role="tabpanel" aria-label={TAB_TEXT[place.tab]}>
        <Guarded key={place.tab}>
          {place.tab === "rows" &&
            (rows.latest !== undefined && total === 0 ? (
              <NothingLeft
                chosen={chosen}
                rows={rowsKey ?? ""}
                measure={measure}
                onGo={go}
                evaluations={evaluations}
              />
            ) : (
              <Grid
                rows={rows}
                evaluations={looked.evaluations}
                baseline={looked.baseline}
                candidate={looked.candidate}
                measure={looked.focus}
                directions={directions}
                diff={place.diff}
                dense={place.dense}
                cursor={cursor}
                onCursor={setCursor}
                onOpen={open}
                open={place.row}
              />
            ))}
          {place.tab === "matrix" && summary.value !== undefined && (
            <Matrix
              summary={summary.value.summary}
              evaluations={evaluations}
              focus={focus}
              onFocus={onFocus}
            />
          )}
          {place.tab === "distribution" && focus !== undefined && (
            <Distribution
              chosen={chosen}
              evaluations={evaluations}
              measure={focus}
              compared={inFocus}
              direction={directions.get(focus) ?? null}
              onGo={go}
            />
          )}
          {place.tab === "slices" && focus !== undefined && (
            <Slices chosen={chosen} evaluations={evaluations} measure={focus} onGo={go} />
          )}
          {place.tab === "ranking" && focus !== undefined && (
            <RankingView chosen={chosen} evaluations={evaluations} measure={focus} />
          )}
        </Guarded>
        {place.row !== undefined && (
          <Guarded>
            <RowDrawer
              key={place.row}
              digest={place.row}
              chosen={chosen}
              evaluations={evaluations}
              directions={directions}
              position={total > 0 ? `${cursor + 1} of ${total.toLocaleString("en")}` : ""}
              onGo={go}
              onMove={(by) => move(cursor + by)}
            />
          </Guarded>
        )}
      </div>
    </div>
  );
}

const TAB_TEXT: Readonly<Record<Tab, string>> = {
  rows: "Rows",
  distribution: "Distribution",
  slices: "Slices",
  matrix: "Matrix",
  ranking: "Ranking",
};

function orderText(order: Order, focus: string | undefined): string {
  const name = focus === undefined ? "" : ` on ${shown(measureName(focus))}`;
  switch (order) {
    case "worst_first":
      return `worst first${name}`;
    case "best_first":
      return `best first${name}`;
    case "largest_first":
      return `largest difference first${name}`;
    case "digest":
      return "by digest";
  }
}

/** The next direction when a reader cycles through them. */
function nextDirection(direction: MeasureComparison["direction"]): KeptDirection {
  return direction === "higher" ? "lower" : direction === "lower" ? "none" : "higher";
}

/** The comparisons of scores and of latency and tokens combined. Measures that neither of a pair has are left out. */
function together(
  scores: CompareResults | undefined,
  facts: CompareResults | undefined,
): CompareResults | undefined {
  if (scores === undefined || facts === undefined) return scores;
  return {
    ...scores,
    comparisons: scores.comparisons.map(({ candidate, measures }) => ({
      candidate,
      measures: [
        ...measures,
        ...measuresOf(facts, candidate).filter(
          ({ baseline, candidate: other }) => baseline.rows > 0 || other.rows > 0,
        ),
      ],
    })),
  };
}

function measuresOf(compared: CompareResults | undefined, candidate: string): readonly MeasureComparison[] {
  return compared?.comparisons.find((one) => one.candidate === candidate)?.measures ?? [];
}

/** Whether the candidate differs from the baseline on a row; undefined if the row is not loaded. */
function disagreement(
  row: PageRow | undefined,
  { candidate }: Chosen,
  measures: readonly string[],
  focus: string | undefined,
): boolean | undefined {
  if (row === undefined || focus === undefined) return undefined;
  const cell = row.evaluations.find(({ evaluation_call_id: id }) => id === candidate);
  const difference = cell?.differences?.[measures.indexOf(focus)];
  return difference != null && difference !== 0;
}

/** Warnings about names in the filters, which links contain unchecked. */
function Warnings({ texts }: { readonly texts: readonly string[] }) {
  return texts.map((text) => (
    <p key={text} class="notice worse" role="alert">
      {shown(text)}
    </p>
  ));
}

interface NothingLeftProps {
  readonly chosen: Chosen;
  readonly rows: string;
  readonly measure: ReturnType<typeof measureOf> | undefined;
  readonly evaluations: readonly NamedEvaluation[];
  readonly onGo: (parts: Parts) => void;
}

/** No row is left: shows what each filter excludes, with a small question each. */
function NothingLeft({ chosen, rows, measure, evaluations, onGo }: NothingLeftProps) {
  const { api } = useApp();
  const { place } = chosen;
  const without = useQuery(`without ${rows}`, (signal) =>
    Promise.all(
      place.chips.map(async (_, index) => {
        const chips = place.chips.filter((_, at) => at !== index);
        const body = pageBody({ ...chosen, place: { ...place, chips } }, measure, 0);
        const page = await api.page(place.project, { ...body, query: { ...body.query, limit: 0 } }, signal);
        return page.total_rows;
      }),
    ),
  );
  if (place.chips.length === 0 && place.change === undefined)
    return (
      <div class="notice">
        <h2>No rows yet</h2>
        <p>
          Nothing has been logged to {evaluations.map(({ name }) => name).join(", ")} in {place.project}.
        </p>
        <Link to={{ view: "evaluations", project: place.project, rest: [] }}>All evaluations</Link>
      </div>
    );
  return (
    <div class="notice">
      <h2>No row matches all filters</h2>
      {place.change !== undefined && (
        <p>
          <button type="button" class="link" onClick={() => onGo({ change: undefined })}>
            Show all rows, not only “{place.change}”
          </button>
        </p>
      )}
      <ul>
        {place.chips.map((chip, index) => (
          <li key={JSON.stringify(chip)}>
            <ConditionChips
              chips={[chip]}
              evaluations={evaluations}
              onRemove={() => onGo({ chips: place.chips.filter((_, at) => at !== index) })}
            />{" "}
            without it: {without.value?.[index]?.toLocaleString("en") ?? "…"} rows
          </li>
        ))}
      </ul>
    </div>
  );
}
