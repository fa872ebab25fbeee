// The state of a training job, as a glyph and a word.

import type { JSX } from "preact";
import type { TrainingJob } from "../../data/training-answers.ts";
import { shown } from "../../format/shown.ts";

/** The state of a job, with the reason if it failed. */
export function JobState({ job }: { readonly job: TrainingJob }): JSX.Element {
  const tone = job.error !== null ? "worse" : job.finished_at === null ? "running-dot" : "";
  return (
    <span class={tone} title={job.error === null ? undefined : shown(job.error.message)}>
      {job.error !== null ? "✗ " : job.finished_at === null ? "● " : "✓ "}
      {job.status}
      {job.error !== null && `: ${shown(job.error.code)}`}
    </span>
  );
}
