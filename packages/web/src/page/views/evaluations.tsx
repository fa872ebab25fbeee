// The evaluations of a project, newest first, to view or to select for a comparison.

import { refName } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ListedEvaluation } from "../data/answers.ts";
import { useQuery } from "../data/hooks/use-query.ts";
import { shown } from "../format/shown.ts";
import { durationText, whenText } from "../format/time.ts";
import { Link } from "../parts/link.tsx";
import { SelectBox } from "../parts/select-box.tsx";
import { Busy, Refused } from "../parts/states.tsx";
import { useApp } from "../state/app.tsx";
import { comparisonOf } from "../state/page-route.ts";
import { HowToLog } from "./how-to-log.tsx";
import { useScoreColumns } from "./score-columns.tsx";

/** The number of evaluations drawn at first, and added each time. */
const SHOWN = 100;
/** The most evaluations that a comparison can have. */
const MOST_COMPARED = 256;

/** The list. */
export function Evaluations({ project }: { readonly project: string }): JSX.Element {
  const { api, refresh } = useApp();
  const listed = useQuery(`${project} ${refresh.value}`, (signal) => api.evaluations(project, signal));
  if (listed.error !== undefined) return <Refused error={listed.error} />;
  if (listed.value === undefined) return <Busy on />;
  if (listed.value.length === 0) return <HowToLog project={project} />;
  return <List project={project} listed={listed.value.toReversed()} />;
}

function List({
  project,
  listed,
}: {
  readonly project: string;
  readonly listed: readonly ListedEvaluation[];
}) {
  const { go } = useApp();
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [text, setText] = useState("");
  const [shownRows, setShown] = useState(SHOWN);
  const wanted = text.toLowerCase();
  const found = listed.filter(({ name, model, id }) =>
    [name, model, id].some((one) => one?.toLowerCase().includes(wanted)),
  );
  const all = found.slice(0, MOST_COMPARED).map(({ id }) => id);
  // Those found are among the first as long as there are few: then typing loads nothing.
  const drawn = [listed, found].flatMap((some) => some.slice(0, shownRows).map(({ id }) => id));
  const scores = useScoreColumns(project, [...new Set(drawn)]);
  // The columns of a comparison are ordered by when the evaluations started.
  const inOrder = listed
    .filter(({ id }) => picked.includes(id))
    .map(({ id }) => id)
    .reverse();
  return (
    <section class="page" aria-labelledby="evaluations">
      <h1 id="evaluations">Evaluations of {shown(project)}</h1>
      <div class="line">
        <label>
          find <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <button
          type="button"
          class="primary"
          disabled={picked.length < 1}
          onClick={() => go(comparisonOf(project, { evaluations: inOrder }))}
        >
          Compare {picked.length > 0 ? picked.length : ""} selected
        </button>
        <Link to={comparisonOf(project)}>Compare the latest</Link>
      </div>
      <div class="list-box">
        <table class="list">
          <thead>
            <tr>
              <th scope="col">
                <input
                  type="checkbox"
                  aria-label="select all found"
                  checked={all.length > 0 && all.every((id) => picked.includes(id))}
                  onChange={(event) => setPicked(event.currentTarget.checked ? all : [])}
                />
              </th>
              <th scope="col">name</th>
              <th scope="col">model</th>
              <th scope="col">started</th>
              <th scope="col" class="side">
                rows
              </th>
              <th scope="col" class="side">
                trials
              </th>
              {scores.heads}
              <th scope="col">state</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, shownRows).map((one) => {
              const name = shown(one.name ?? one.id);
              return (
                <tr key={one.id}>
                  <td>
                    <SelectBox
                      label={`select ${name}`}
                      item={one.id}
                      selected={picked}
                      onSelect={setPicked}
                    />
                  </td>
                  <th scope="row">
                    <Link to={comparisonOf(project, { evaluations: [one.id] })}>{name}</Link>
                  </th>
                  <td>{shown(refName(one.model) ?? "")}</td>
                  <td>{whenText(one.started_at)}</td>
                  <td class="side number">{one.rows.toLocaleString("en")}</td>
                  <td class="side number">{one.trials.toLocaleString("en")}</td>
                  {scores.cells(one.id)}
                  <td>{stateOf(one)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {found.length > shownRows && (
        <button type="button" class="link" onClick={() => setShown(shownRows + SHOWN)}>
          + {found.length - shownRows} more
        </button>
      )}
    </section>
  );
}

function stateOf({ started_at, ended_at }: ListedEvaluation) {
  if (ended_at === null) return <span class="running-dot">● running</span>;
  if (started_at === null) return "ended";
  return `ended after ${durationText((Date.parse(ended_at) - Date.parse(started_at)) / 1000)}`;
}
