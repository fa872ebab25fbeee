// Calls with those below them: of a trial, these are the model's, and the scorers' with their reasons.

import type { Json } from "@assay/base";
import type { EvalResultsTrial } from "@assay/eval-engine";
import { cutText, leavesOf } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Api } from "../data/api.ts";
import { useQuery } from "../data/hooks/use-query.ts";
import { shown } from "../format/shown.ts";
import { durationText } from "../format/time.ts";
import { JsonView } from "../parts/json-view.tsx";
import { Refused } from "../parts/states.tsx";
import { useApp } from "../state/app.tsx";

/** The members of a call that a trace shows. */
export interface TracedCall {
  readonly id: string;
  readonly parent_id: string | null;
  readonly op_name: string;
  readonly display_name: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly inputs: Json;
  readonly output: Json;
  readonly exception: string | null;
  readonly attributes: Json;
}

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
      <Own project={project} trial={trial} />
      <Children project={project} parent={id} scorers={scorers} />
    </div>
  );
}

/** Why a trial has no output, which its own call tells. */
export function Failure({
  project,
  trial,
}: {
  readonly project: string;
  readonly trial: EvalResultsTrial | undefined;
}): JSX.Element {
  const exception = useCall(project, trial?.predict_and_score_call_id)?.exception ?? null;
  return exception === null ? <p class="muted">no output</p> : <Exception text={exception} />;
}

function Exception({ text }: { readonly text: string }) {
  return <pre class="whole worse">✗ {shown(cutText(text, MOST_TEXT))}</pre>;
}

/** One call, once it is loaded. */
function useCall(project: string, id: string | undefined): TracedCall | undefined {
  const { api, refresh } = useApp();
  const key = id && `call ${project} ${id} ${refresh.value}`;
  const found = useQuery(key, (signal) => callsOf(api, project, { filter: { call_ids: [id!] } }, signal));
  return found.of === key ? found.value?.[0] : undefined;
}

/** Facts that were logged or imported with the trial in addition to its scores, and its error if it has an output. */
function Own({ project, trial }: { readonly project: string; readonly trial: EvalResultsTrial }) {
  const { exception = null, attributes = null } = useCall(project, trial.predict_and_score_call_id) ?? {};
  // Attributes added by the logging itself are not about the trial.
  const facts = [...leavesOf(attributes, [])].filter(
    ([[name]]) => name !== "weave" && name !== "_weave_eval_meta",
  );
  return (
    <>
      {exception !== null && trial.model_output !== null && <Exception text={exception} />}
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

/** Calls to load. */
interface CallQuery {
  readonly filter: {
    readonly call_ids?: readonly string[];
    readonly parent_ids?: readonly string[];
    readonly trace_roots_only?: boolean;
  };
  /** The order of their starts. Default `asc`. */
  readonly direction?: "asc" | "desc";
  readonly offset?: number;
  readonly limit?: number;
}

/** The calls of a project that a query asks for. */
export async function callsOf(
  api: Api,
  project: string,
  { filter, direction = "asc", offset = 0, limit = MOST_CALLS }: CallQuery,
  signal: AbortSignal,
): Promise<readonly TracedCall[]> {
  const sort_by = [{ field: "started_at", direction }];
  const body = { project_id: project, filter, sort_by, limit, offset };
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
  const { api, refresh } = useApp();
  const calls = useQuery(`trace ${project} ${parent} ${refresh.value}`, (signal) =>
    callsOf(api, project, { filter: { parent_ids: [parent] } }, signal),
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

/** A call, which shows what it was given and returned when it is opened. */
export function CallLine({
  project,
  call,
  scorer,
  isOpen = false,
}: {
  readonly project: string;
  readonly call: TracedCall;
  readonly scorer: string | undefined;
  readonly isOpen?: boolean;
}): JSX.Element {
  const [open, setOpen] = useState(isOpen);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="json-key">{shown(opName(call.op_name))}</span>{" "}
        <span class="muted">{callDuration(call)}</span>
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

/** How long a call took, or that it has not ended. */
export function callDuration({ started_at, ended_at }: TracedCall): string {
  return ended_at === null ? "running" : durationText((Date.parse(ended_at) - Date.parse(started_at)) / 1000);
}

/** The name in an op's reference. */
export function opName(ref: string): string {
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  const at = name.lastIndexOf(":");
  return at === -1 ? name : name.slice(0, at);
}
