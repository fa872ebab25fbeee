// What a test records about its trial. It travels in the test's metadata from the worker to the reporter, so it must be
// JSON.

import { checkMembers, type Members } from "@assay/base/internal";

/** A test's task, as Vitest passes it to the test. */
export interface TestTask {
  /** Where a test leaves notes for reporters. */
  readonly meta: object;
  /** How often the test was repeated and retried so far. */
  readonly result?:
    | { readonly repeatCount?: number | undefined; readonly retryCount?: number | undefined }
    | undefined;
}

/** One answer to a row, with its scores. All of it must be JSON. */
export interface TrialFacts {
  /** The row's content, which identifies the row across runs. */
  readonly row: { readonly [field: string]: unknown };
  /** The model's answer. */
  readonly output?: unknown;
  /** Scores by name: booleans, numbers, texts, or objects of these. */
  readonly scores?: { readonly [score: string]: unknown };
  /** The evaluation of the trial. Default: the reporter's, else the test's file. */
  readonly evaluation?: string;
  /** The model that answered. */
  readonly model?: string;
  /** How many seconds the model took. */
  readonly latency?: number;
  /** How many tokens the model used. */
  readonly tokens?: number;
}

/** The key in a test's metadata. */
const KEY = "assay";

const FACTS: Members<TrialFacts> = {
  ...{ row: "object?", output: "any?", scores: "object?", evaluation: "text?", model: "text?" },
  ...{ latency: "number?", tokens: "any?" },
};

/**
 * Records a test's trial. Each repetition and each retry of a test is a trial. Further calls in the same one add to it:
 * record the row before you call the model, so that a trial that fails there counts as an error, and record the rest
 * afterwards. The facts are copied. Throws a TypeError for an unknown fact, and for one that is not JSON, such as a
 * Promise.
 */
export function trial(task: TestTask, facts: TrialFacts | Omit<TrialFacts, "row">): void {
  checkMembers<Partial<TrialFacts>>("a trial", facts, FACTS);
  const meta = task.meta as { [KEY]?: Recorded };
  const { repeatCount = 0, retryCount = 0 } = task.result ?? {};
  const run = `${repeatCount}:${retryCount}`;
  meta[KEY] = { ...meta[KEY], [run]: { ...meta[KEY]?.[run], ...copied(facts) } };
}

/** The facts as JSON: anything else could not leave the worker, and would end the whole run. */
function copied(facts: object): Partial<TrialFacts> {
  for (const [name, fact] of Object.entries(facts))
    if (typeof fact === "function" || typeof fact === "symbol")
      throw new TypeError(`the trial's ${name} is a ${typeof fact}, which is not JSON`);
  const text = JSON.stringify(facts, (name, value: unknown) => {
    if (value instanceof Promise) throw new TypeError(`the trial's ${name} is a Promise: await it first`);
    if (value instanceof Map || value instanceof Set || value instanceof Error)
      throw new TypeError(
        `the trial's ${name} is of type ${value.constructor.name}, which JSON does not have`,
      );
    if (typeof value !== "bigint") return value;
    if (Number.isSafeInteger(Number(value))) return Number(value);
    throw new TypeError(`the trial's ${name} is ${value}, too large for a number: pass it as text`);
  });
  return JSON.parse(text) as Partial<TrialFacts>;
}

/** By run of the test, in order. */
interface Recorded {
  readonly [run: string]: Partial<TrialFacts>;
}

/** What the runs of a test recorded, in order, possibly without rows. */
export function recordedBy(meta: object): readonly Partial<TrialFacts>[] {
  return Object.values((meta as { readonly [KEY]?: Recorded })[KEY] ?? {});
}

/** Whether the facts identify a row. */
export function hasRow(facts: Partial<TrialFacts>): facts is TrialFacts {
  return facts.row !== undefined;
}
