// Models that are trained here, and the checkpoints of one.

import { numberText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { usePages } from "../../data/hooks/use-pages.ts";
import { useQuery } from "../../data/hooks/use-query.ts";
import type { AliasList, Checkpoint, TrainedModel, TrainingJob } from "../../data/training-answers.ts";
import { checkpointName } from "../../format/checkpoint-name.ts";
import { curvesOfCheckpoints } from "../../format/curves.ts";
import { shown } from "../../format/shown.ts";
import { whenText } from "../../format/time.ts";
import { CurveChart } from "../../parts/charts/curve-chart.tsx";
import { Link } from "../../parts/link.tsx";
import { SelectBox } from "../../parts/select-box.tsx";
import { Busy, Refused } from "../../parts/states.tsx";
import { useApp } from "../../state/app.tsx";
import type { PageRoute } from "../../state/page-route.ts";
import { JobState } from "./job-state.tsx";

/** Models, or one of them. */
export function Models({ place }: { readonly place: PageRoute }): JSX.Element {
  return place.view === "model" ? <Model key={place.id} id={place.id} /> : <List />;
}

function List(): JSX.Element {
  const models = usePages<TrainedModel>("/v1/preview/models?limit=50");
  return (
    <section class="page" aria-labelledby="models">
      <h1 id="models">Models</h1>
      <Busy on={models.loading} />
      {models.error !== undefined && <Refused error={models.error} />}
      {models.items.length === 0 && !models.loading && models.error === undefined && (
        <div class="notice">
          <h2>No trained models yet</h2>
          <p>To train one that is small enough for any machine:</p>
          <pre>assay train sft acme/demo/greeter chats.jsonl --base-model assay/tiny</pre>
          <p>Chat lists the models that can answer now.</p>
        </div>
      )}
      {models.items.length > 0 && (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">model</th>
              <th scope="col">trained from</th>
            </tr>
          </thead>
          <tbody>
            {models.items.map(({ id, entity, project, name, base_model }) => (
              <tr key={id}>
                <th scope="row">
                  <Link to={{ view: "model", id, rest: [] }}>{shown(`${entity}/${project}/${name}`)}</Link>
                </th>
                <td>{shown(base_model)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {models.more && (
        <button type="button" onClick={models.next}>
          More
        </button>
      )}
    </section>
  );
}

/** The number of metrics in a line of the table. */
const MOST_METRICS = 6;
/** The most columns of a chat. */
const MOST_CHATS = 4;

function Model({ id }: { readonly id: string }): JSX.Element {
  const { api, refresh, go } = useApp();
  const path = `/v1/preview/models/${encodeURIComponent(id)}`;
  const model = useQuery(`${path} ${refresh.value}`, (signal) => api.json<TrainedModel>(path, { signal }));
  const checkpoints = usePages<Checkpoint>(`${path}/checkpoints?limit=100`);
  const aliases = useQuery(`${path}/aliases ${refresh.value}`, (signal) =>
    api.json<AliasList>(`${path}/aliases`, { signal }),
  );
  const curves = useMemo(() => curvesOfCheckpoints(checkpoints.items), [checkpoints.items]);
  const jobs = usePages<TrainingJob>(`/v1/preview/training-jobs?limit=20&model_id=${encodeURIComponent(id)}`);
  const [picked, setPicked] = useState<readonly number[]>([]);
  if (model.error !== undefined) return <Refused error={model.error} />;
  if (model.value === undefined) return <Busy on />;
  const { entity, project, name, base_model } = model.value;
  const whole = `${entity}/${project}/${name}`;
  const metrics = [...new Set(checkpoints.items.flatMap((one) => Object.keys(one.metrics)))]
    .filter((metric) => checkpoints.items.some((one) => typeof one.metrics[metric] === "number"))
    .slice(0, MOST_METRICS);
  return (
    <section class="page" aria-labelledby="model">
      <h1 id="model">{shown(whole)}</h1>
      <p class="muted">trained from {shown(base_model)}</p>
      <div class="line">
        <h2>Checkpoints</h2>
        <button
          type="button"
          class="primary"
          disabled={picked.length === 0}
          onClick={() =>
            go({ view: "chat", models: picked.map((step) => checkpointName(whole, step)), rest: [] })
          }
        >
          Chat with {picked.length === 0 ? "selected" : picked.length}
        </button>
        <Link to={{ view: "evaluations", project: `${entity}/${project}`, rest: [] }}>
          evaluations of its project
        </Link>
      </div>
      {checkpoints.error !== undefined && <Refused error={checkpoints.error} />}
      <table class="list">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">selected</span>
            </th>
            <th scope="col">step</th>
            {metrics.map((metric) => (
              <th scope="col" key={metric}>
                {shown(metric)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {checkpoints.items.map(({ id: checkpoint, step, metrics: of }) => (
            <tr key={checkpoint}>
              <td>
                <SelectBox
                  label={`select step ${step}`}
                  item={step}
                  selected={picked}
                  most={MOST_CHATS}
                  onSelect={setPicked}
                />
              </td>
              <th scope="row">
                {step} <span class="muted">{shown(aliasesOf(step, aliases.value))}</span>
              </th>
              {metrics.map((metric) => {
                const value = of[metric];
                return <td key={metric}>{typeof value === "number" ? numberText(value) : ""}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {checkpoints.more && (
        <button type="button" onClick={checkpoints.next}>
          More
        </button>
      )}
      {checkpoints.items.length > 1 && (
        <div class="curves">
          {curves.map((curve) => (
            <CurveChart key={curve.name} name={curve.name} lines={[{ curve }]} />
          ))}
        </div>
      )}
      <h2>Jobs</h2>
      {jobs.items.map((job) => (
        <p key={job.id} class="line">
          <Link to={{ view: "job", id: job.id, rest: [] }}>{job.id.slice(0, 8)}</Link>
          <JobState job={job} />
          <span class="muted">{whenText(job.created_at)}</span>
        </p>
      ))}
    </section>
  );
}

function aliasesOf(step: number, aliases: AliasList | undefined): string {
  return (aliases?.data ?? [])
    .filter((one) => one.step === step)
    .map(({ alias }) => alias)
    .join(", ");
}
