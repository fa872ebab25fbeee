// The calls of a trial: the model's, and the scorers' with their reasons.

import type { Json } from "@assay/base";
import type { EvalResultsTrial } from "@assay/eval-engine";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useQuery } from "../data/hooks/use-query.ts";
import { shown } from "../format/shown.ts";
import { durationText } from "../format/time.ts";
import { JsonView } from "../parts/json-view.tsx";
import { Refused } from "../parts/states.tsx";
import { useApp } from "../state/app.tsx";

/** The members of a call that a trace shows. */
interface TracedCall {
  readonly id: string;
  readonly op_name: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly inputs: Json;
  readonly output: Json;
  readonly exception: string | null;
}

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
  return <Children project={project} parent={trial.predict_and_score_call_id} scorers={scorers} />;
}

interface ChildrenProps {
  readonly project: string;
  readonly parent: string;
  readonly scorers: ReadonlyMap<string, string>;
}

function Children({ project, parent, scorers }: ChildrenProps) {
  const { api } = useApp();
  const calls = useQuery(`trace ${project} ${parent}`, async (signal) => {
    const filter = { parent_ids: [parent] };
    const sort_by = [{ field: "started_at", direction: "asc" }];
    const response = await api.open("/calls/stream_query", {
      body: { project_id: project, filter, sort_by, limit: MOST_CALLS },
      signal,
    });
    const lines = (await response.text()).split("\n").filter((line) => line.trim() !== "");
    return lines.map((line) => JSON.parse(line) as TracedCall);
  });
  if (calls.error !== undefined) return <Refused error={calls.error} />;
  if (calls.value === undefined) return <span class="muted">…</span>;
  if (calls.value.length === 0) return <span class="muted">no calls below</span>;
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
}: {
  readonly project: string;
  readonly call: TracedCall;
  readonly scorer: string | undefined;
}) {
  const [open, setOpen] = useState(false);
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
          {call.exception !== null && <pre class="whole worse">{shown(call.exception.slice(0, 20_000))}</pre>}
          <JsonView name="inputs" value={call.inputs} open={0} />
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
