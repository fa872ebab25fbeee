// Calls that programs logged: the list of those that no other call contains, and one with those below it.

import { cutText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useQuery } from "../data/hooks/use-query.ts";
import { shown } from "../format/shown.ts";
import { whenText } from "../format/time.ts";
import { Link } from "../parts/link.tsx";
import { Busy, Refused } from "../parts/states.tsx";
import { useApp } from "../state/app.tsx";
import { comparisonOf, type PageRoute } from "../state/page-route.ts";
import { CallLine, callDuration, callsOf, opName, type TracedCall } from "./trace.tsx";

/** The op of evaluations. */
const EVALUATION = "Evaluation.evaluate";
/** The number of calls per page of the list. */
const LISTED = 50;
/** The most characters of what a call was given. */
const MOST_TEXT = 160;

/** The calls of a project, or one of them. */
export function Calls({ place }: { readonly place: PageRoute }): JSX.Element | null {
  if (place.view === "calls") return <List key={place.project} project={place.project} />;
  if (place.view !== "call") return null;
  return <OneCall key={`${place.project} ${place.id}`} project={place.project} id={place.id} />;
}

function List({ project }: { readonly project: string }) {
  const { api, refresh } = useApp();
  const [earlier, setEarlier] = useState<readonly TracedCall[]>([]);
  const offset = earlier.length;
  const page = useQuery(`calls ${project} ${offset} ${refresh.value}`, (signal) =>
    // One more than listed tells whether there are more.
    callsOf(
      api,
      project,
      { filter: { trace_roots_only: true }, direction: "desc", offset, limit: LISTED + 1 },
      signal,
    ),
  );
  if (page.error !== undefined) return <Refused error={page.error} />;
  if (page.value === undefined) return <Busy on />;
  const calls = [...earlier, ...page.value.slice(0, LISTED)];
  return (
    <section class="page" aria-labelledby="calls">
      <h1 id="calls">Calls of {shown(project)}</h1>
      {calls.length === 0 ? (
        <p class="muted">No calls yet. Clients of Weave and OpenTelemetry log them.</p>
      ) : (
        <div class="list-box">
          <table class="list">
            <thead>
              <tr>
                <th scope="col">call</th>
                <th scope="col">started</th>
                <th scope="col">duration</th>
                <th scope="col">inputs</th>
              </tr>
            </thead>
            <tbody>
              {calls.map((call) => (
                <tr key={call.id}>
                  <th scope="row">
                    <Link to={{ view: "call", project, id: call.id, rest: [] }}>
                      {shown(call.display_name || opName(call.op_name))}
                    </Link>
                  </th>
                  <td>{whenText(call.started_at)}</td>
                  <td class="number">
                    {callDuration(call)}
                    {call.exception !== null && <span class="worse"> ✗ failed</span>}
                  </td>
                  <td class="wrapped">{shown(cutText(JSON.stringify(call.inputs), MOST_TEXT))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {page.value.length > LISTED && (
        <button type="button" onClick={() => setEarlier(calls)}>
          Earlier calls
        </button>
      )}
    </section>
  );
}

/** A call that is an evaluation opens as one. */
function OneCall({ project, id }: { readonly project: string; readonly id: string }) {
  const { api, go, refresh } = useApp();
  const found = useQuery(`call ${project} ${id} ${refresh.value}`, (signal) =>
    callsOf(api, project, { filter: { call_ids: [id] } }, signal),
  );
  const call = found.value?.[0];
  const isEvaluation = call !== undefined && opName(call.op_name) === EVALUATION;
  useEffect(() => {
    if (isEvaluation) go(comparisonOf(project, { evaluations: [id] }), true);
  }, [isEvaluation]);
  if (found.error !== undefined) return <Refused error={found.error} />;
  if (found.value === undefined || isEvaluation) return <Busy on />;
  return (
    <section class="page" aria-labelledby="call">
      <h1 id="call">{call === undefined ? "No such call" : shown(opName(call.op_name))}</h1>
      {call === undefined ? (
        <p class="muted">
          {shown(project)} has no call {shown(id)}: it was not logged yet, or was deleted.
        </p>
      ) : (
        <>
          <p class="line">
            <span class="muted">started {whenText(call.started_at)}</span>
            {call.parent_id !== null && (
              <Link to={{ view: "call", project, id: call.parent_id, rest: [] }}>the call above it</Link>
            )}
          </p>
          <div class="calls">
            <CallLine project={project} call={call} scorer={undefined} isOpen />
          </div>
        </>
      )}
    </section>
  );
}
