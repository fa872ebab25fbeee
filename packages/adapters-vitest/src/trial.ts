// What a test records about its trial. It travels in the test's metadata from the worker to the reporter, so it must be
// JSON.

/** A test's task, as Vitest gives it to the test. */
export interface TestTask {
  /** Where a test leaves notes for reporters. */
  readonly meta: object;
}

/** One answer to one row, and how it was scored. All of it must be JSON. */
export interface TrialFacts {
  /** What was asked: what makes it the same row in every run. */
  readonly row: { readonly [field: string]: unknown };
  /** What the model answered. */
  readonly output?: unknown;
  /** By name: true or false, numbers, texts, or objects of these. */
  readonly scores?: { readonly [score: string]: unknown };
  /** The evaluation that the trial belongs to. Default: that of the reporter, else the test's file. */
  readonly evaluation?: string;
  /** The model that answered. */
  readonly model?: string;
  /** Seconds that the model took. */
  readonly latency?: number;
  /** Tokens that the model used. */
  readonly tokens?: number;
}

/** The key of a test's metadata. */
const KEY = "assay";

/**
 * Says what a test's trial is. Calling it again in the same test adds to the record: give the row before you ask the
 * model, so that a trial that fails there is counted as an error, and the rest after it.
 */
export function trial(task: TestTask, facts: TrialFacts | Omit<TrialFacts, "row">): void {
  const meta = task.meta as { [KEY]?: Partial<TrialFacts> };
  meta[KEY] = { ...meta[KEY], ...facts };
}

/** What a test recorded; undefined when it is not a trial. */
export function saidOf(meta: object): TrialFacts | undefined {
  const said = (meta as { readonly [KEY]?: Partial<TrialFacts> })[KEY];
  return said?.row === undefined ? undefined : { ...said, row: said.row };
}
