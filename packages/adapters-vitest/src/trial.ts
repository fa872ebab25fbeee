// The data that a test records about its trial. It travels in the test's metadata from the worker to the reporter, so
// it must be JSON.

import { jsonText } from "@assay/base";
import { checkMembers, type Members } from "@assay/base/internal";

/** A test's task, as Vitest passes it to the test. */
export interface TestTask {
  /** Where a test leaves notes for reporters. */
  readonly meta: object;
  /** How often the test was repeated and retried so far, and the errors of all its runs. */
  readonly result?:
    | {
        readonly repeatCount?: number | undefined;
        readonly retryCount?: number | undefined;
        readonly errors?: readonly unknown[] | undefined;
      }
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
 * afterwards. The facts are copied. Throws a TypeError for an unknown fact, for one that is not JSON, such as a Promise,
 * and for a second row.
 */
export function trial(task: TestTask, facts: TrialFacts | Omit<TrialFacts, "row">): void {
  checkMembers<Partial<TrialFacts>>("a trial", facts, FACTS);
  const meta = task.meta as { [KEY]?: Recorded };
  const { repeatCount = 0, retryCount = 0, errors = [] } = task.result ?? {};
  const name = `${repeatCount}:${retryCount}`;
  const run = meta[KEY]?.[name] ?? { facts: {}, errorsBefore: errors.length };
  meta[KEY] = { ...meta[KEY], [name]: { ...run, facts: together(run.facts, copied(facts)) } };
}

/** The facts of both. Throws a TypeError if they are of two rows. */
function together(known: Partial<TrialFacts>, more: Partial<TrialFacts>): Partial<TrialFacts> {
  if (known.row !== undefined && more.row !== undefined && jsonText(known.row) !== jsonText(more.row))
    throw new TypeError(
      "a test is one trial and has a row already: make a test of each row, as with test.for",
    );
  const scores = (known.scores ?? more.scores) && { ...known.scores, ...more.scores };
  return { ...known, ...more, ...(scores && { scores }) };
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

/** The facts that one run of a test recorded, possibly without a row. */
interface RecordedRun {
  readonly facts: Partial<TrialFacts>;
  /** How many errors earlier runs of the test had. */
  readonly errorsBefore: number;
}

/** By run of the test, in order. */
interface Recorded {
  readonly [run: string]: RecordedRun;
}

/** The recorded facts of each run of a test, in order. */
export function recordedBy(meta: object): readonly RecordedRun[] {
  return Object.values((meta as { readonly [KEY]?: Recorded })[KEY] ?? {});
}

/** Whether the facts identify a row. */
export function hasRow(facts: Partial<TrialFacts>): facts is TrialFacts {
  return facts.row !== undefined;
}
