// Runs that training programs logged like W&B's clients: the list, and one run with its growing curves.

import { numberText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { projectPath } from "../../data/api.ts";
import { useQuery } from "../../data/hooks/use-query.ts";
import { whileVisible } from "../../data/hooks/while-visible.ts";
import {
  type HistoryLine,
  type LoggedRun,
  type RunDetails,
  type RunHistory,
  type RunList,
  stepOf,
} from "../../data/run-answers.ts";
import { curvesOfLines } from "../../format/curves.ts";
import { shown } from "../../format/shown.ts";
import { whenText } from "../../format/time.ts";
import { CurveChart } from "../../parts/charts/curve-chart.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { Link } from "../../parts/link.tsx";
import { Busy, Refused } from "../../parts/states.tsx";
import { useApp } from "../../state/app.tsx";
import type { PageRoute } from "../../state/page-route.ts";

/** The number of lines per request. */
const LINES = 10_000;
/** The most lines drawn for a run: the browser keeps them all in memory. */
const MOST_LINES = 200_000;
const LOOK_AGAIN_MS = 2000;
/** The number of summary values in the list. */
const SUMMARY_NUMBERS = 3;

/** The runs of a project, or one of them. */
export function Runs({ place }: { readonly place: PageRoute }): JSX.Element | null {
  if (place.view === "runs") return <List key={place.project} project={place.project} />;
  if (place.view !== "run") return null;
  return <OneRun key={`${place.project} ${place.run}`} project={place.project} name={place.run} />;
}

function List({ project }: { readonly project: string }) {
  const { api, refresh } = useApp();
  const [after, setAfter] = useState<string | undefined>(undefined);
  const [earlier, setEarlier] = useState<readonly LoggedRun[]>([]);
  const path = `${projectPath(project)}/runs?limit=50${after === undefined ? "" : `&after=${encodeURIComponent(after)}`}`;
  const page = useQuery(`${path} ${refresh.value}`, (signal) => api.json<RunList>(path, { signal }));
  if (page.error !== undefined) return <Refused error={page.error} again={() => refresh.value++} />;
  if (page.value === undefined) return <Busy on />;
  const { next } = page.value;
  const runs = [...earlier, ...page.value.runs];
  return (
    <section class="page" aria-labelledby="runs">
      <h1 id="runs">Runs of {shown(project)}</h1>
      {runs.length === 0 ? (
        <div class="notice">
          <h2>No runs yet</h2>
          <p>Point the wandb package here:</p>
          <pre>WANDB_BASE_URL={api.address("")} python train.py</pre>
        </div>
      ) : (
        <div class="list-box">
          <table class="list">
            <thead>
              <tr>
                <th scope="col">run</th>
                <th scope="col">state</th>
                <th scope="col">group</th>
                <th scope="col" class="side">
                  last step
                </th>
                <th scope="col">summary</th>
                <th scope="col">created</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <tr key={run.id}>
                  <th scope="row">
                    <Link to={{ view: "run", project, run: run.name, rest: [] }}>
                      {shown(run.display_name || run.name)}
                    </Link>
                  </th>
                  <td>{stateText(run)}</td>
                  <td>{shown(run.group ?? "")}</td>
                  <td class="side number">{run.last_step?.toLocaleString("en") ?? ""}</td>
                  <td>{shown(summaryText(run))}</td>
                  <td>{whenText(run.created_at)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {next !== null && (
        <button
          type="button"
          onClick={() => {
            setEarlier(runs);
            setAfter(next);
          }}
        >
          Earlier runs
        </button>
      )}
    </section>
  );
}

function OneRun({ project, name }: { readonly project: string; readonly name: string }) {
  const { run, lines, error } = useRun(project, name);
  const curves = useMemo(() => curvesOfLines(lines), [lines]);
  if (run === undefined) return error === undefined ? <Busy on /> : <Refused error={error} />;
  return (
    <section class="page" aria-labelledby="run">
      <div class="line">
        <h1 id="run">Run {shown(run.display_name || run.name)}</h1>
        {stateText(run)}
        {run.last_step !== null && <span>step {run.last_step.toLocaleString("en")}</span>}
        <span class="muted">created {whenText(run.created_at)}</span>
        <span class="spring" />
        <Link to={{ view: "runs", project, rest: [] }}>all runs</Link>
      </div>
      {run.notes !== null && run.notes !== "" && <p>{shown(run.notes)}</p>}
      {run.tags.length > 0 && <p class="muted">{run.tags.map(shown).join(" · ")}</p>}
      <div class="curves">
        {curves.map((curve) => (
          <CurveChart key={curve.name} curve={curve} />
        ))}
        {curves.length === 0 && <p class="muted">No numbers logged yet.</p>}
      </div>
      {run.history_lines > lines.length && lines.length >= MOST_LINES && (
        <p class="muted">
          The first {lines.length.toLocaleString("en")} of {run.history_lines.toLocaleString("en")} lines.
        </p>
      )}
      <details>
        <summary>configuration</summary>
        <JsonView value={run.config} />
      </details>
      <details>
        <summary>summary</summary>
        <JsonView value={run.summary} />
      </details>
    </section>
  );
}

interface Followed {
  readonly run: RunDetails | undefined;
  readonly lines: readonly HistoryLine[];
  readonly error: Error | undefined;
}

/** A run and its logged values, followed while it runs and the page is visible. */
function useRun(project: string, name: string): Followed {
  const { api } = useApp();
  const [followed, setFollowed] = useState<Followed>({ run: undefined, lines: [], error: undefined });
  useEffect(() => {
    const path = `${projectPath(project)}/runs/${encodeURIComponent(name)}`;
    const lines: HistoryLine[] = [];
    let from = 0;
    return whileVisible(async (signal) => {
      try {
        for (;;) {
          // Before its lines: anything logged in between is requested the next time.
          const run = await api.json<RunDetails>(path, { signal });
          let more = true;
          while (more && lines.length < MOST_LINES) {
            const asked = `${path}/history?limit=${LINES}&min_step=${from}`;
            const { history, next_step } = await api.json<RunHistory>(asked, { signal });
            lines.push(...history);
            const last = lines.length - 1;
            from = next_step ?? (last < 0 ? 0 : stepOf(lines[last]!, last) + 1);
            more = next_step !== null;
          }
          setFollowed({ run, lines: [...lines], error: undefined });
          if (run.state !== "running" || lines.length >= MOST_LINES) return true;
          await pause(LOOK_AGAIN_MS, signal);
        }
      } catch (error) {
        if (!signal.aborted) setFollowed((before) => ({ ...before, error: error as Error }));
        throw error;
      }
    });
  }, [project, name]);
  return followed;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((over, stopped) => {
    const timer = setTimeout(over, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      stopped(signal.reason);
    });
  });
}

function stateText({ state }: LoggedRun) {
  return state === "running" ? <span class="running-dot">● running</span> : shown(state);
}

function summaryText({ summary }: LoggedRun): string {
  return Object.entries(summary)
    .filter(([key, value]) => !key.startsWith("_") && typeof value === "number")
    .slice(0, SUMMARY_NUMBERS)
    .map(([key, value]) => `${key} ${numberText(value as number)}`)
    .join(" · ");
}
