// One run with its growing curves, or several beside each other: curves in one chart, and how the runs differ.

import { cutText, numberText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type FollowedRun, useRuns } from "../../data/hooks/use-runs.ts";
import type { RunDetails } from "../../data/run-answers.ts";
import { compareMetrics, curvesOfLines } from "../../format/curves.ts";
import { shown } from "../../format/shown.ts";
import { whenText } from "../../format/time.ts";
import { type ChartLine, CurveChart } from "../../parts/charts/curve-chart.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { Letter } from "../../parts/letter.tsx";
import { Link } from "../../parts/link.tsx";
import { Busy, Refused } from "../../parts/states.tsx";
import { configurationsOf } from "./run-configurations.ts";
import { RunState } from "./run-state.tsx";

/** The most characters of a setting. */
const MOST_TEXT = 100;

/** The runs of a project with these names. */
export function SelectedRuns({
  project,
  names,
}: {
  readonly project: string;
  readonly names: readonly string[];
}): JSX.Element {
  const runs = useRuns(project, names);
  const known = runs.flatMap(({ run }) => run ?? []);
  if (known.length === 0) {
    const error = runs.find((one) => one.error !== undefined)?.error;
    return error === undefined ? <Busy on /> : <Refused error={error} />;
  }
  return (
    <section class="page" aria-labelledby="run">
      <div class="line">
        {names.length === 1 ? <RunHeading run={known[0]!} /> : <h1 id="run">{names.length} runs</h1>}
        <span class="spring" />
        <Link to={{ view: "runs", project, runs: [], rest: [] }}>all runs</Link>
      </div>
      {names.length === 1 ? <Remarks run={known[0]!} /> : <Differences project={project} runs={runs} />}
      <Charts runs={runs} />
      {runs.map(
        ({ name, run, lines, isCut }) =>
          isCut && (
            <p class="muted" key={name}>
              {shown(nameOf(run, name))}: the first {lines.length.toLocaleString("en")} of{" "}
              {run!.history_lines.toLocaleString("en")} lines.
            </p>
          ),
      )}
      {names.length === 1 && <Details run={known[0]!} />}
    </section>
  );
}

function RunHeading({ run }: { readonly run: RunDetails }) {
  return (
    <>
      <h1 id="run">Run {shown(nameOf(run, run.name))}</h1>
      <RunState run={run} />
      {run.last_step !== null && <span>step {run.last_step.toLocaleString("en")}</span>}
      <span class="muted">created {whenText(run.created_at)}</span>
    </>
  );
}

function Charts({ runs }: { readonly runs: readonly FollowedRun[] }) {
  const charts = useMemo(() => chartsOf(runs), [runs]);
  return (
    <div class="curves">
      {charts.map(([name, lines]) => (
        <CurveChart
          key={JSON.stringify([name, ...lines.map(({ owner }) => owner?.index)])}
          name={name}
          lines={lines}
        />
      ))}
      {charts.length === 0 && <p class="muted">No numbers logged yet.</p>}
    </div>
  );
}

/** The curves of the runs by metric. */
function chartsOf(runs: readonly FollowedRun[]): readonly (readonly [string, readonly ChartLine[]])[] {
  const charts = new Map<string, ChartLine[]>();
  for (const [index, { name, run, lines }] of runs.entries()) {
    const owner = { index, name: nameOf(run, name) };
    for (const curve of curvesOfLines(lines)) {
      const line = runs.length === 1 ? { curve } : { curve, owner };
      charts.set(curve.name, [...(charts.get(curve.name) ?? []), line]);
    }
  }
  return [...charts].sort(([a], [b]) => compareMetrics(a, b));
}

function Remarks({ run: { notes, tags } }: { readonly run: RunDetails }) {
  return (
    <>
      {notes !== null && notes !== "" && <p>{shown(notes)}</p>}
      {tags.length > 0 && <p class="muted">{tags.map(shown).join(" · ")}</p>}
    </>
  );
}

function Details({ run }: { readonly run: RunDetails }) {
  return (
    <>
      <details>
        <summary>configuration</summary>
        <JsonView value={run.config} />
      </details>
      <details>
        <summary>summary</summary>
        <JsonView value={run.summary} />
      </details>
    </>
  );
}

interface DifferencesProps {
  readonly project: string;
  readonly runs: readonly FollowedRun[];
}

/** A table of the runs: their state, the settings in which they differ, and their last numbers. */
function Differences({ project, runs }: DifferencesProps) {
  const { differing, same } = configurationsOf(runs.map(({ run }) => run?.config));
  const metrics = [...new Set(runs.flatMap(({ run }) => Object.keys(run?.summary ?? {})))]
    .filter((name) => !name.startsWith("_") && runs.some(({ run }) => typeof run?.summary[name] === "number"))
    .sort(compareMetrics);
  const row = (name: string, cell: (one: FollowedRun) => JSX.Element | string) => (
    <tr key={name}>
      <th scope="row">{shown(name)}</th>
      {runs.map((one) => (
        <td key={one.name}>{cell(one)}</td>
      ))}
    </tr>
  );
  const heading = (text: string) => (
    <tr>
      <th scope="rowgroup" colSpan={runs.length + 1} class="muted">
        {text}
      </th>
    </tr>
  );
  return (
    <div class="list-box">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">of each run</span>
            </th>
            {runs.map(({ name, run }, index) => (
              <th scope="col" key={name}>
                <Letter index={index} />{" "}
                <Link to={{ view: "runs", project, runs: [name], rest: [] }}>{shown(nameOf(run, name))}</Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {row("state", ({ run, error }) =>
            run === undefined ? error === undefined ? "…" : shown(error.message) : <RunState run={run} />,
          )}
          {row("last step", ({ run }) => run?.last_step?.toLocaleString("en") ?? "")}
          {row("created", ({ run }) => (run === undefined ? "" : whenText(run.created_at)))}
        </tbody>
        <tbody>
          {heading(
            same === 0
              ? "configuration"
              : `configuration, without ${same} that ${same === 1 ? "is" : "are"} the same`,
          )}
          {differing.map(([name, values]) =>
            row(name, (one) => shown(cutText(values[runs.indexOf(one)] ?? "—", MOST_TEXT))),
          )}
        </tbody>
        <tbody>
          {heading("summary")}
          {metrics.map((name) =>
            row(name, ({ run }) => {
              const value = run?.summary[name];
              return typeof value === "number" ? numberText(value) : "—";
            }),
          )}
        </tbody>
      </table>
    </div>
  );
}

function nameOf(run: RunDetails | undefined, name: string): string {
  return run?.display_name || name;
}
