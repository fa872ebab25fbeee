// Training jobs: the list, and the progress of one job.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { usePages } from "../../data/hooks/use-pages.ts";
import type { TrainedModel, TrainingJob } from "../../data/training-answers.ts";
import { shown } from "../../format/shown.ts";
import { durationText, whenText } from "../../format/time.ts";
import { Link } from "../../parts/link.tsx";
import { Busy, Refused } from "../../parts/states.tsx";
import type { PageRoute } from "../../state/page-route.ts";
import { Job } from "./job.tsx";
import { JobState } from "./job-state.tsx";

/** Jobs, or one of them. */
export function Training({ place }: { readonly place: PageRoute }): JSX.Element {
  return place.view === "job" ? <Job key={place.id} id={place.id} /> : <Jobs />;
}

const STATES = ["", "queued", "running", "succeeded", "failed", "cancelled"];

function Jobs(): JSX.Element {
  const [status, setStatus] = useState("");
  const jobs = usePages<TrainingJob>(
    `/v1/preview/training-jobs?limit=50${status === "" ? "" : `&status=${status}`}`,
  );
  const models = usePages<TrainedModel>("/v1/preview/models?limit=100");
  const nameOf = new Map(
    models.items.map(({ id, entity, project, name }) => [id, `${entity}/${project}/${name}`]),
  );
  return (
    <section class="page" aria-labelledby="training">
      <h1 id="training">Training jobs</h1>
      <div class="line">
        <label>
          state{" "}
          <select value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
            {STATES.map((one) => (
              <option key={one} value={one}>
                {one === "" ? "any" : one}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Busy on={jobs.loading} />
      {jobs.error !== undefined && <Refused error={jobs.error} />}
      {jobs.items.length === 0 && !jobs.loading && jobs.error === undefined ? (
        <div class="notice">
          <h2>{status === "" ? "No jobs yet" : `No ${status} jobs`}</h2>
          <p>To train a model that is small enough for any machine:</p>
          <pre>assay train sft acme/demo/greeter chats.jsonl --base-model assay/tiny</pre>
        </div>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">job</th>
              <th scope="col">model</th>
              <th scope="col">kind</th>
              <th scope="col">state</th>
              <th scope="col">steps</th>
              <th scope="col">created</th>
              <th scope="col">took</th>
            </tr>
          </thead>
          <tbody>
            {jobs.items.map((job) => (
              <tr key={job.id}>
                <th scope="row">
                  <Link to={{ view: "job", id: job.id, rest: [] }}>{job.id.slice(0, 8)}</Link>
                </th>
                <td>
                  <Link to={{ view: "model", id: job.model_id, rest: [] }}>
                    {shown(nameOf.get(job.model_id) ?? job.model_id.slice(0, 8))}
                  </Link>
                </td>
                <td>{job.type.toUpperCase()}</td>
                <td>
                  <JobState job={job} />
                </td>
                <td class="number">
                  {job.progress.step}
                  {job.progress.total !== null && ` of ${job.progress.total}`}
                </td>
                <td>{whenText(job.created_at)}</td>
                <td>{tookText(job)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {jobs.more && (
        <button type="button" onClick={jobs.next}>
          Earlier jobs
        </button>
      )}
    </section>
  );
}

function tookText({ started_at, finished_at }: TrainingJob): string {
  if (started_at === null || finished_at === null) return "";
  return durationText((Date.parse(finished_at) - Date.parse(started_at)) / 1000);
}
