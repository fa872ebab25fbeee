// Runs that training programs logged like W&B's clients: the list, from which some are selected.

import { numberText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { projectPath } from "../../data/api.ts";
import { useQuery } from "../../data/hooks/use-query.ts";
import type { LoggedRun, RunList } from "../../data/run-answers.ts";
import { compareMetrics } from "../../format/curves.ts";
import { shown } from "../../format/shown.ts";
import { whenText } from "../../format/time.ts";
import { Link } from "../../parts/link.tsx";
import { SelectBox } from "../../parts/select-box.tsx";
import { Busy, Refused } from "../../parts/states.tsx";
import { useApp } from "../../state/app.tsx";
import type { PageRoute } from "../../state/page-route.ts";
import { RunState } from "./run-state.tsx";
import { SelectedRuns } from "./selected-runs.tsx";

/** The number of summary values in the list. */
const SUMMARY_NUMBERS = 3;
/** The most runs beside each other. */
const MOST_SELECTED = 8;

/** The runs of a project, or some of them. */
export function Runs({ place }: { readonly place: PageRoute }): JSX.Element | null {
  if (place.view !== "runs") return null;
  const { project, runs } = place;
  if (runs.length === 0) return <List key={project} project={project} />;
  return <SelectedRuns key={JSON.stringify([project, ...runs])} project={project} names={runs} />;
}

function List({ project }: { readonly project: string }) {
  const { api, refresh, go } = useApp();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [after, setAfter] = useState<string | undefined>(undefined);
  const [earlier, setEarlier] = useState<readonly LoggedRun[]>([]);
  const path = `${projectPath(project)}/runs?limit=50${after === undefined ? "" : `&after=${encodeURIComponent(after)}`}`;
  const page = useQuery(`${path} ${refresh.value}`, (signal) => api.json<RunList>(path, { signal }));
  if (page.error !== undefined) return <Refused error={page.error} />;
  if (page.value === undefined) return <Busy on />;
  const { next } = page.value;
  const runs = [...earlier, ...page.value.runs];
  return (
    <section class="page" aria-labelledby="runs">
      <div class="line">
        <h1 id="runs">Runs of {shown(project)}</h1>
        {runs.length > 1 && (
          <button
            type="button"
            class="primary"
            disabled={selected.length < 2}
            onClick={() => go({ view: "runs", project, runs: selected, rest: [] })}
          >
            Compare {selected.length === 0 ? "selected" : selected.length}
          </button>
        )}
      </div>
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
                <th scope="col">
                  <span class="unseen">selected</span>
                </th>
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
                  <td>
                    <SelectBox
                      label={`select ${shown(run.display_name || run.name)}`}
                      item={run.name}
                      selected={selected}
                      most={MOST_SELECTED}
                      onSelect={setSelected}
                    />
                  </td>
                  <th scope="row">
                    <Link to={{ view: "runs", project, runs: [run.name], rest: [] }}>
                      {shown(run.display_name || run.name)}
                    </Link>
                  </th>
                  <td>
                    <RunState run={run} />
                  </td>
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

function summaryText({ summary }: LoggedRun): string {
  return Object.entries(summary)
    .filter(([key, value]) => !key.startsWith("_") && typeof value === "number")
    .sort(([a], [b]) => compareMetrics(a, b))
    .slice(0, SUMMARY_NUMBERS)
    .map(([key, value]) => `${key} ${numberText(value as number)}`)
    .join(" · ");
}
