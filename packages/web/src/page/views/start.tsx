// The start page without a link: the list of projects or, with a single project, its comparison.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useQuery } from "../data/hooks/use-query.ts";
import { shown } from "../format/shown.ts";
import { whenText } from "../format/time.ts";
import { Link } from "../parts/link.tsx";
import { Busy, Refused } from "../parts/states.tsx";
import { useApp } from "../state/app.tsx";
import { comparisonOf } from "../state/page-route.ts";
import { Refusal } from "../transport/ask.ts";
import { HowToLog } from "./how-to-log.tsx";

/** The projects. */
export function Start(): JSX.Element {
  const { api, go, refresh } = useApp();
  const projects = useQuery(`projects ${refresh.value}`, (signal) => api.projects(signal));
  const all = projects.value ?? [];
  const withEvaluations = all.filter(({ evaluations }) => evaluations > 0);
  const only = withEvaluations.length === 1 ? withEvaluations[0] : undefined;
  useEffect(() => {
    if (only !== undefined) go(comparisonOf(`${only.entity}/${only.project}`), true);
  }, [only]);
  const { error } = projects;
  if (error !== undefined && !(error instanceof Refusal && error.status === 404))
    return <Refused error={error} />;
  if (projects.value === undefined && error === undefined) return <Busy on />;
  if (all.length === 0) return <HowToLog project="acme/demo" />;
  return (
    <section class="page" aria-labelledby="projects">
      <h1 id="projects">Projects</h1>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">project</th>
            <th scope="col" class="side">
              evaluations
            </th>
            <th scope="col">latest</th>
          </tr>
        </thead>
        <tbody>
          {all.map(({ entity, project, evaluations, last_started_at }) => {
            const name = `${entity}/${project}`;
            return (
              <tr key={name}>
                <th scope="row">
                  <Link to={comparisonOf(name)}>{shown(name)}</Link>
                </th>
                <td class="side number">
                  <Link to={{ view: "evaluations", project: name, rest: [] }}>
                    {evaluations.toLocaleString("en")}
                  </Link>
                </td>
                <td>{whenText(last_started_at)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
