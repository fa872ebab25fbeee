// Calls below others: those of a trial, the model's and the scorers' with their reasons, and those of any call.

import type { Json } from "@assay/base";
import type { EvalResultsTrial } from "@assay/eval-engine";
import { cutText, leavesOf } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Api } from "../data/api.ts";
import { useQuery } from "../data/hooks/use-query.ts";
import { shown } from "../format/shown.ts";
import { durationText, whenText } from "../format/time.ts";
import { JsonView } from "../parts/json-view.tsx";
import { Link } from "../parts/link.tsx";
import { Busy, Refused } from "../parts/states.tsx";
import { useApp } from "../state/app.tsx";
import { comparisonOf, type PageRoute } from "../state/page-route.ts";

/** The members of a call that a trace shows. */
interface TracedCall {
  readonly id: string;
  readonly parent_id: string | null;
  readonly op_name: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly inputs: Json;
  readonly output: Json;
  readonly exception: string | null;
  readonly attributes: Json;
}

/** The op of evaluations. */
const EVALUATION = "Evaluation.evaluate";
/** The most characters of an error or a fact. */
const MOST_TEXT = 20_000;
/** The most calls drawn on one level. */
const MOST_CALLS = 100;

/** The trial's calls, loaded when they are opened. */
export function Trace({
  project,
  trial,
}: {
  readonly project: string;
  readonly trial: EvalResultsTrial;
}): JSX.Element {
  const scorers = new Map(Object.entries(trial.scorer_call_ids).map(([name, id]) => [id, name]));
  const id = trial.predict_and_score_call_id;
  return (
    <div>
      <Own key={id} project={project} id={id} />
      <Children project={project} parent={id} scorers={scorers} />
    </div>
  );
}

/** A call that a program logged, with those below it. A call that is an evaluation opens as one. */
export function Call({ place }: { readonly place: PageRoute }): JSX.Element | null {
  return place.view === "call" ? <OneCall key={place.id} project={place.project} id={place.id} /> : null;
}

function OneCall({ project, id }: { readonly project: string; readonly id: string }) {
  const { api, go, refresh } = useApp();
  const found = useQuery(`call ${project} ${id} ${refresh.value}`, (signal) =>
    callsOf(api, project, { call_ids: [id] }, signal),
  );
  const call = found.value?.[0];
  const isEvaluation = call !== undefined && opName(call.op_name) === EVALUATION;
  useEffect(() => {
    if (isEvaluation) go(comparisonOf(project, { evaluations: [id] }), true);
  }, [isEvaluation]);
  if (found.error !== undefined) return <Refused error={found.error} again={() => refresh.value++} />;
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

/** Why the trial failed, and facts that were logged or imported in addition to its scores. */
function Own({ project, id }: { readonly project: string; readonly id: string }) {
  const { api } = useApp();
  const own = useQuery(`call ${project} ${id}`, (signal) =>
    callsOf(api, project, { call_ids: [id] }, signal),
  );
  const { exception = null, attributes = null } = own.value?.[0] ?? {};
  // Attributes added by the logging itself are not about the trial.
  const facts = [...leavesOf(attributes, [])].filter(
    ([[name]]) => name !== "weave" && name !== "_weave_eval_meta",
  );
  return (
    <>
      {exception !== null && <pre class="whole worse">✗ {shown(cutText(exception, MOST_TEXT))}</pre>}
      {facts.length > 0 && (
        <dl class="fields">
          {facts.map(([path, value]) => (
            <div key={path.join(".")}>
              <dt>{shown(path.join("."))}</dt>
              <dd>{shown(cutText(String(value), MOST_TEXT))}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

async function callsOf(
  api: Api,
  project: string,
  filter: { readonly call_ids: readonly string[] } | { readonly parent_ids: readonly string[] },
  signal: AbortSignal,
): Promise<readonly TracedCall[]> {
  const sort_by = [{ field: "started_at", direction: "asc" }];
  const body = { project_id: project, filter, sort_by, limit: MOST_CALLS };
  const response = await api.open("/calls/stream_query", { body, signal });
  const lines = (await response.text()).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => JSON.parse(line) as TracedCall);
}

interface ChildrenProps {
  readonly project: string;
  readonly parent: string;
  readonly scorers: ReadonlyMap<string, string>;
}

function Children({ project, parent, scorers }: ChildrenProps) {
  const { api } = useApp();
  const calls = useQuery(`trace ${project} ${parent}`, (signal) =>
    callsOf(api, project, { parent_ids: [parent] }, signal),
  );
  if (calls.error !== undefined) return <Refused error={calls.error} />;
  if (calls.value === undefined) return <span class="muted">…</span>;
  if (calls.value.length === 0) return <span class="muted">no calls logged</span>;
  return (
    <ul class="calls">
      {calls.value.map((call) => (
        <li key={call.id}>
          <CallLine project={project} call={call} scorer={scorers.get(call.id)} />
        </li>
      ))}
    </ul>
  );
}

function CallLine({
  project,
  call,
  scorer,
  isOpen = false,
}: {
  readonly project: string;
  readonly call: TracedCall;
  readonly scorer: string | undefined;
  readonly isOpen?: boolean;
}) {
  const [open, setOpen] = useState(isOpen);
  const seconds =
    call.ended_at === null ? undefined : (Date.parse(call.ended_at) - Date.parse(call.started_at)) / 1000;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="json-key">{shown(opName(call.op_name))}</span>{" "}
        <span class="muted">{seconds === undefined ? "running" : durationText(seconds)}</span>
        {call.exception !== null && <span class="worse"> ✗ {shown(call.exception.slice(0, 200))}</span>}
        {scorer !== undefined && (
          <span class="said"> {shown(JSON.stringify(call.output).slice(0, 160))}</span>
        )}
      </summary>
      {open && (
        <div class="call">
          {call.exception !== null && (
            <pre class="whole worse">{shown(cutText(call.exception, MOST_TEXT))}</pre>
          )}
          <JsonView name="inputs" value={call.inputs} open={isOpen ? 2 : 0} />
          <JsonView name="output" value={call.output} open={2} />
          <Children project={project} parent={call.id} scorers={new Map()} />
        </div>
      )}
    </details>
  );
}

/** The name in an op's reference. */
function opName(ref: string): string {
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  const at = name.lastIndexOf(":");
  return at === -1 ? name : name.slice(0, at);
}
