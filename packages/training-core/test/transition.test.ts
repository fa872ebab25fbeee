import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Job, WorkerMessage } from "../src/index.ts";
import { hasEnded, isActive } from "../src/job/job.ts";
import type { JobFact } from "../src/job/job-event.ts";
import { type JobCommand, record, transition } from "../src/job/transition.ts";
import { applyEvent, foldEvents } from "../src/testing/index.ts";

// Small pools, so that commands often match the attempt, the step and the plan of the job.
const attempt = fc.integer({ min: 0, max: 3 });
const files = fc.constantFrom([], [{ name: "weights", sha256: "a".repeat(64), size: 1 }]);
const message: fc.Arbitrary<WorkerMessage> = fc.oneof(
  fc.record({
    type: fc.constant("started" as const),
    num_sequences: fc.nat({ max: 2 }),
    resumable: fc.boolean(),
  }),
  fc.record({
    type: fc.constant("step" as const),
    step: fc.integer({ min: 1, max: 3 }),
    metrics: fc.constant({ loss: 1 }),
  }),
  fc.record({ type: fc.constant("done" as const), files }),
  fc.record({ type: fc.constant("failed" as const), message: fc.constant("no"), retryable: fc.boolean() }),
  fc.record({
    type: fc.constant("warning" as const),
    code: fc.constantFrom("a", "b"),
    message: fc.constant("!"),
  }),
  fc.constant({ type: "heartbeat" as const }),
);
const command: fc.Arbitrary<JobCommand> = fc.oneof(
  fc.constant({ type: "claim" as const, worker: "w", parent: { step: 0, files: [] } }),
  { weight: 4, arbitrary: fc.record({ type: fc.constant("tell" as const), attempt, message }) },
  fc.record({ type: fc.constantFrom("stopped" as const, "lost" as const), attempt }),
  fc.record({ type: fc.constant("commit" as const), checkpointId: fc.constant("c"), step: fc.constant(1) }),
  fc.constant({ type: "cancel" as const }),
  fc.constant({ type: "give_up" as const, code: "deadline_exceeded", message: "too late" }),
);

const taken: readonly JobCommand[] = [{ type: "claim", worker: "w", parent: { step: 0, files: [] } }];
const tell = (said: WorkerMessage): JobCommand => ({ type: "tell", attempt: 1, message: said });
const trained: readonly JobCommand[] = [
  ...taken,
  tell({ type: "started", num_sequences: 0 }),
  tell({ type: "done" }),
];
// Random commands rarely get far, so some walks start in a later state.
const walk: fc.Arbitrary<readonly JobCommand[]> = fc
  .tuple(
    fc.constantFrom<readonly JobCommand[]>([], taken, trained, [
      ...trained,
      { type: "commit", checkpointId: "c", step: 1 },
    ]),
    fc.array(command, { maxLength: 30 }),
  )
  .map(([first, rest]) => [...first, ...rest]);

const origin = {
  modelId: "m",
  number: 1,
  kind: "rl",
  size: 1,
  trainable: 1,
  skipped: [],
  maxAttempts: 2,
} as const;
const submitted = applyEvent(undefined, {
  type: "submitted",
  data: origin,
  id: "0",
  jobId: "j",
  seq: 1,
  at: 0,
});

/** The job after each command, with its verdict. */
function history(commands: readonly JobCommand[]) {
  let job: Job = submitted;
  let ids = 0;
  return commands.map((one, i) => {
    const before = job;
    const { verdict, facts } = transition(before, one);
    // Sets the clock back occasionally.
    const after = record(before, facts, i % 5 === 4 ? 0 : i, () => String(++ids));
    job = after.job;
    return { command: one, before, verdict, facts, after: job, events: after.events };
  });
}

describe("transition", () => {
  test("answers every command in every state, with facts only if it is applied", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(walk, (commands) => {
        for (const { verdict, facts, before, command: one } of history(commands)) {
          if (verdict !== "applied") expect(facts).toEqual([]);
          seen.add(`${before.state} ${one.type}`);
        }
      }),
      { numRuns: 2000 },
    );
    // Otherwise the property would prove little.
    expect(seen.size).toBe(7 * 7);
  });

  test("changes nothing once a job has ended", () => {
    fc.assert(
      fc.property(walk, (commands) => {
        for (const { before, after } of history(commands))
          if (hasEnded(before.state)) expect(after).toBe(before);
      }),
    );
  });

  test("takes effect once for a repeated command", () => {
    fc.assert(
      fc.property(walk, (commands) => {
        for (const { command: one, after, verdict } of history(commands)) {
          const again = transition(after, one);
          if (verdict === "applied" && one.type !== "give_up") expect(again.facts).toEqual([]);
        }
      }),
    );
  });

  test("keeps the first warning of each code, up to twenty, without other changes", () => {
    const warnings = Array.from({ length: 30 }, (_, i) =>
      tell({ type: "warning", code: `code_${i % 25}`, message: `at ${i}`, count: i }),
    );
    const { after } = history([...taken, ...warnings]).at(-1)!;
    expect(after.state).toBe("starting");
    expect(after.warnings).toHaveLength(20);
    expect(after.warnings?.[3]).toEqual({ code: "code_3", message: "at 3", count: 3 });
  });

  test("ignores every worker except the one that has the job", () => {
    fc.assert(
      fc.property(walk, (commands) => {
        for (const { command: one, before, facts, verdict } of history(commands)) {
          if (one.type !== "tell" && one.type !== "stopped" && one.type !== "lost") continue;
          const owns = isActive(before.state) && before.attempt === one.attempt;
          if (!owns) expect(facts).toEqual([]);
          if (!owns && before.attempt !== one.attempt) expect(verdict).toBe("owner_lost");
        }
      }),
    );
  });

  test("is stored only as events, whose times never decrease", () => {
    fc.assert(
      fc.property(walk, (commands) => {
        const steps = history(commands);
        const first = { type: "submitted" as const, data: origin, id: "0", jobId: "j", seq: 1, at: 0 };
        const events = [first, ...steps.flatMap((one) => one.events)];
        expect(foldEvents(events)).toEqual(steps.at(-1)?.after ?? submitted);
        for (const [i, { at }] of events.entries()) expect(at).toBeGreaterThanOrEqual(events[i - 1]?.at ?? 0);
      }),
    );
  });

  test("fails no job for any number of planned stops and fewer losses than it has attempts", () => {
    const end = fc.constantFrom("stopped" as const, "lost" as const);
    // How far a run gets: it is claimed, it starts, it reports one more step.
    const interrupted = fc.array(fc.record({ end, far: fc.nat({ max: 2 }) }), { maxLength: 10 });
    fc.assert(
      fc.property(interrupted, fc.integer({ min: 1, max: 3 }), (runs, spare) => {
        const maxAttempts = runs.filter((run) => run.end === "lost").length + spare;
        let job: Job = { ...submitted, maxAttempts };
        const give = (asked: JobCommand) => {
          const { verdict, facts } = transition(job, asked);
          job = record(job, facts, 0, () => "1").job;
          return verdict;
        };
        const isRefused = (attempt: number) => {
          for (const type of ["stopped", "lost"] as const) expect(give({ type, attempt })).toBe("owner_lost");
          const message = { type: "failed", message: "no" } as const;
          expect(give({ type: "tell", attempt, message })).toBe("owner_lost");
        };
        const run = (end: "stopped" | "lost", far: number) => {
          expect(give(taken[0]!)).toBe("applied");
          const { attempt } = job;
          for (let stale = 1; stale < attempt; stale++) isRefused(stale);
          const say = (message: WorkerMessage) =>
            expect(give({ type: "tell", attempt, message })).toBe("applied");
          if (far > 0) say({ type: "started", num_sequences: 100, resumable: true });
          if (far > 1) say({ type: "step", step: job.steps + 1, metrics: {} });
          expect(give({ type: end, attempt })).toBe("applied");
          isRefused(attempt + 1);
        };
        for (const [i, { end, far }] of runs.entries()) {
          run(end, far);
          expect(job).toMatchObject({ state: "queued", attempt: i + 1 });
          isRefused(job.attempt);
        }
        // The remaining losses are as many as without any stop.
        for (let left = spare; left > 0; left--) {
          expect(job.state).toBe("queued");
          run("lost", 0);
        }
        expect(job).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
        const all = runs.length + spare;
        expect(job.error?.message).toBe(`the worker was lost, after ${all} of ${all} attempts`);
      }),
    );
  });

  test("reads a stop that an earlier version stored as an attempt, as that version did", () => {
    const { after } = history(taken).at(-1)!;
    const data = { code: "worker_stopped", error_message: "the worker stopped" };
    const event = { type: "requeued" as const, data, id: "2", jobId: "j", seq: after.version + 1, at: 0 };
    expect(applyEvent(after, event)).toMatchObject({ state: "queued", attempt: 1, maxAttempts: 2 });
  });

  test("refuses a run that would break the promised number of steps", () => {
    const commands: JobCommand[] = [
      { type: "claim", worker: "w", parent: { step: 0, files: [] } },
      { type: "tell", attempt: 1, message: { type: "started", num_sequences: 2, resumable: true } },
      { type: "lost", attempt: 1 },
      { type: "claim", worker: "w", parent: { step: 0, files: [] } },
      { type: "tell", attempt: 2, message: { type: "started", num_sequences: 3, resumable: true } },
    ];
    expect(history(commands).at(-1)?.after.error).toEqual({
      code: "not_reproducible",
      message: "the job ran again with 3 steps instead of 2",
    });
  });
});

describe("the table of the machine", () => {
  const weights = [{ name: "weights", sha256: "a".repeat(64), size: 1 }];
  const started = (num_sequences: number, resumable = false) =>
    tell({ type: "started", num_sequences, resumable });
  const running = [...taken, started(2)];
  const stepped = [...running, tell({ type: "step", step: 1, metrics: {} })];
  const whole = [...stepped, tell({ type: "step", step: 2, metrics: {} })];
  const finalizing = [...whole, tell({ type: "done", files: weights })];
  const STATES: Readonly<Record<string, readonly JobCommand[]>> = {
    queued: [],
    starting: taken,
    running,
    "running, half way": stepped,
    "running, resumable": [...taken, started(2, true)],
    "running, whole": whole,
    "running, to be cancelled": [...whole, { type: "cancel" }],
    finalizing,
    "queued again": [...taken, started(2, true), { type: "lost", attempt: 1 }],
    "starting again": [...taken, started(2, true), { type: "lost", attempt: 1 }, ...taken],
    succeeded: [...finalizing, { type: "commit", checkpointId: "c", step: 1 }],
    failed: [...taken, { type: "give_up", code: "deadline_exceeded", message: "too late" }],
    cancelled: [{ type: "cancel" }],
  };
  const COMMANDS: Readonly<Record<string, JobCommand>> = {
    claim: taken[0]!,
    heartbeat: tell({ type: "heartbeat" }),
    "started with 2": started(2),
    "started with 3": started(3),
    "step 1": tell({ type: "step", step: 1, metrics: {} }),
    "step 2": tell({ type: "step", step: 2, metrics: {} }),
    "step 3": tell({ type: "step", step: 3, metrics: {} }),
    warning: tell({ type: "warning", code: "a", message: "!" }),
    "done with files": tell({ type: "done", files: weights }),
    "done without": tell({ type: "done" }),
    failed: tell({ type: "failed", message: "no" }),
    "failed as cancelled": tell({ type: "failed", code: "cancelled", message: "no" }),
    "failed for now": tell({ type: "failed", code: "oom", message: "no", retryable: true }),
    "started again with 2": {
      ...{ type: "tell", attempt: 2 },
      message: { type: "started", num_sequences: 2 },
    },
    "started again with 3": {
      ...{ type: "tell", attempt: 2 },
      message: { type: "started", num_sequences: 3 },
    },
    "failed again for now": {
      ...{ type: "tell", attempt: 2 },
      message: { type: "failed", code: "oom", message: "no", retryable: true },
    },
    "heartbeat of another run": { type: "tell", attempt: 2, message: { type: "heartbeat" } },
    stopped: { type: "stopped", attempt: 1 },
    "stopped of another run": { type: "stopped", attempt: 2 },
    lost: { type: "lost", attempt: 1 },
    "lost of another run": { type: "lost", attempt: 2 },
    "commit c": { type: "commit", checkpointId: "c", step: 1 },
    "commit d": { type: "commit", checkpointId: "d", step: 1 },
    cancel: { type: "cancel" },
    "give up": { type: "give_up", code: "deadline_exceeded", message: "too late" },
  };
  const factText = ({ type, data }: JobFact) =>
    [
      type,
      ...("code" in data ? [data.code] : []),
      ...("error_message" in data ? [data.error_message] : []),
      ...("planned" in data ? ["planned"] : []),
    ].join(": ");

  test.each(Object.entries(STATES))("%s", (_, commands) => {
    const job = history(commands).at(-1)?.after ?? submitted;
    const lines = Object.entries(COMMANDS).map(([name, command]) => {
      const { verdict, facts } = transition(job, command);
      return `${name} -> ${[verdict, ...facts.map(factText)].join(", ")}`;
    });
    expect(lines.join("\n")).toMatchSnapshot();
  });
});

describe("fold", () => {
  test("refuses a gap, a repeat and any other first event", () => {
    const event = (seq: number) => ({ type: "resumed" as const, data: {}, id: "1", jobId: "j", seq, at: 0 });
    expect(foldEvents([])).toBeUndefined();
    expect(() => applyEvent(submitted, event(3))).toThrow("out of order");
    expect(() => applyEvent(submitted, event(1))).toThrow("out of order");
    expect(() => applyEvent(undefined, event(1))).toThrow("starts with submitted");
  });
});
