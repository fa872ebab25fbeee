// One training job: its state, its growing curves, its events, and its results.

import { cutText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useQuery } from "../../data/hooks/use-query.ts";
import { whileVisible } from "../../data/hooks/while-visible.ts";
import { serverSentEvents } from "../../data/server-sent-events.ts";
import {
  hasEnded,
  type TrainedModel,
  type TrainingEvent,
  type TrainingJob,
} from "../../data/training-answers.ts";
import { checkpointName } from "../../format/checkpoint-name.ts";
import { curvesOf } from "../../format/curves.ts";
import { shown } from "../../format/shown.ts";
import { whenText } from "../../format/time.ts";
import { CurveChart } from "../../parts/charts/curve-chart.tsx";
import { Link } from "../../parts/link.tsx";
import { Busy, Refused } from "../../parts/states.tsx";
import { useApp } from "../../state/app.tsx";
import { JobState } from "./job-state.tsx";

/** The number of events listed. */
const LISTED = 200;

/** The job. */
export function Job({ id }: { readonly id: string }): JSX.Element {
  const { api, refresh, say } = useApp();
  const path = `/v1/preview/training-jobs/${encodeURIComponent(id)}`;
  const [events, setEvents] = useState<readonly TrainingEvent[]>([]);
  const turns = events.filter(({ type }) => type !== "gradient_step").length;
  const job = useQuery(`${path} ${refresh.value} ${turns}`, (signal) =>
    api.json<TrainingJob>(path, { signal }),
  );
  const model = useQuery(job.value && `model ${job.value.model_id}`, (signal) =>
    api.json<TrainedModel>(`/v1/preview/models/${job.value!.model_id}`, { signal }),
  );
  useJobEvents(path, setEvents);
  const curves = useMemo(() => curvesOf(events), [events]);
  if (job.error !== undefined && job.value === undefined) return <Refused error={job.error} />;
  if (job.value === undefined) return <Busy on />;
  const { value } = job;
  const steps = Math.max(value.progress.step, curves[0]?.steps.at(-1) ?? 0);
  const name =
    model.value === undefined
      ? undefined
      : `${model.value.entity}/${model.value.project}/${model.value.name}`;
  const cancel = async (): Promise<void> => {
    // A discarded training step cannot be restored.
    if (!confirm("Cancel this job?")) return;
    await api.json(`${path}/cancel`, { method: "POST" }).catch((error: Error) => say(error.message));
    refresh.value++;
  };
  return (
    <section class="page" aria-labelledby="job">
      <div class="line">
        <h1 id="job">Job {id.slice(0, 8)}</h1>
        <span>{value.type.toUpperCase()}</span>
        <JobState job={value} />
        <span>
          step {steps}
          {value.progress.total !== null && ` of ${value.progress.total}`}
        </span>
        {speedText(events)}
        <span class="spring" />
        {!hasEnded(value) && (
          <button type="button" onClick={() => void cancel()}>
            Cancel
          </button>
        )}
      </div>
      <p class="line">
        {name !== undefined && (
          <span>
            model <Link to={{ view: "model", id: value.model_id, rest: [] }}>{shown(name)}</Link>
          </span>
        )}
        <span class="muted">
          created {whenText(value.created_at)}, attempt {value.attempt} of {value.max_attempts},{" "}
          {value.num_trainable} of {value.num_submitted} trainable
        </span>
        {name !== undefined && value.checkpoint_step !== null && (
          <Link to={{ view: "chat", models: [checkpointName(name, value.checkpoint_step)], rest: [] }}>
            chat with step {value.checkpoint_step}
          </Link>
        )}
      </p>
      {value.error !== null && (
        <div class="notice worse">
          <strong>{shown(value.error.code)}</strong> {shown(value.error.message)}
        </div>
      )}
      {value.warnings.map(({ code, message }) => (
        <div class="notice" key={code}>
          <strong>{shown(code)}</strong> {shown(message)}
        </div>
      ))}
      {value.skipped.length > 0 && (
        <details>
          <summary>skipped {value.skipped.length} trajectories</summary>
          <ul>
            {[...new Set(value.skipped.map(({ reason }) => reason))].slice(0, 50).map((reason) => (
              <li key={reason}>{shown(reason)}</li>
            ))}
          </ul>
        </details>
      )}
      <div class="curves">
        {curves.map((curve) => (
          <CurveChart key={curve.name} name={curve.name} lines={[{ curve }]} />
        ))}
        {curves.length === 0 && <p class="muted">No steps yet.</p>}
      </div>
      <details>
        <summary>{events.length.toLocaleString("en")} events</summary>
        <ol class="events">
          {events.slice(-LISTED).map(({ id: event, type, data, created_at }) => (
            <li key={event}>
              <span class="muted">{whenText(created_at)}</span> {shown(type)}{" "}
              <code>{shown(cutText(JSON.stringify(data), 200))}</code>
            </li>
          ))}
        </ol>
      </details>
    </section>
  );
}

/** Follows the job's events; those that arrive within a frame are drawn together. */
function useJobEvents(path: string, show: (events: readonly TrainingEvent[]) => void): void {
  const { api } = useApp();
  const all = useRef<TrainingEvent[]>([]);
  useEffect(() => {
    all.current = [];
    let frame = 0;
    const drawSoon = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => show([...all.current]));
    };
    const end = whileVisible(async (signal) => {
      const last = all.current.at(-1)?.id;
      const response = await api.open(`${path}/events?include=all`, {
        signal,
        headers: { Accept: "text/event-stream", ...(last !== undefined && { "Last-Event-ID": last }) },
      });
      for await (const { data } of serverSentEvents(response)) {
        if (!data.startsWith("{")) continue;
        all.current.push(JSON.parse(data) as TrainingEvent);
        drawSoon();
      }
      return all.current.some(({ type }) => ENDS.has(type));
    });
    return () => {
      cancelAnimationFrame(frame);
      end();
    };
  }, [path]);
}

const ENDS: ReadonlySet<string> = new Set(["training_ended", "training_failed"]);

/** Steps per second over the last minute of steps. */
function speedText(events: readonly TrainingEvent[]): string | null {
  const times = events
    .filter(({ type, created_at }) => type === "gradient_step" && created_at !== undefined)
    .map(({ created_at }) => Date.parse(created_at!));
  const last = times.at(-1);
  if (last === undefined) return null;
  const lately = times.filter((time) => time > last - 60_000);
  const seconds = (last - lately[0]!) / 1000;
  return seconds > 0 && lately.length > 2
    ? `${((lately.length - 1) / seconds).toPrecision(2)} steps/s`
    : null;
}
