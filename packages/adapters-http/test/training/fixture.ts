// Training routes with everything in memory, and a client like ART's.

import type { EvaluationEntry } from "@assay/eval-engine";
import { trackingService } from "@assay/tracking-core";
import { memoryTrackingStore } from "@assay/tracking-core/testing";
import { trainingService, uploadedData } from "@assay/training-core";
import { firstTrainingData, type TrainingPolicy } from "@assay/training-core/internal";
import {
  countingIds,
  memoryArtifactStore,
  memoryTrainingData,
  memoryTrainingStore,
  scriptedTrainer,
  simulatedClock,
  type TrainerScript,
} from "@assay/training-core/testing";
import { createHandler, type Principal, trainingRoutes } from "../../src/index.ts";

/** Two keys, of two teams. */
const PRINCIPALS: Readonly<Record<string, Principal>> = {
  "Bearer key-a": { id: "a", allows: (entity) => entity === "team-a" || entity === "default" },
  "Bearer key-b": { id: "b", allows: (entity) => entity === "team-b" },
};

/** Routes over fresh ports. Only moving `clock` advances time. */
export function openFixture({
  policy = {},
  data = {},
  evaluations = {},
}: {
  policy?: Partial<TrainingPolicy>;
  data?: Record<string, string>;
  /** The evaluations of each project. */
  evaluations?: Readonly<Record<string, readonly EvaluationEntry[]>>;
} = {}) {
  const clock = simulatedClock(Date.UTC(2026, 10, 21));
  const artifacts = memoryArtifactStore();
  const store = memoryTrainingStore();
  const ids = countingIds();
  const service = trainingService({
    store,
    artifacts,
    data: firstTrainingData(uploadedData(artifacts), memoryTrainingData(new Map(Object.entries(data)))),
    clock,
    ids,
    policy,
  });
  const aliases = trackingService({
    store: memoryTrackingStore(),
    artifacts,
    training: { store, importCheckpoint: service.importCheckpoint },
    now: clock.now,
    newId: ids.next,
  });
  const errors: unknown[] = [];
  const group = trainingRoutes({
    training: service,
    aliases,
    evaluations: {
      entries: async (project) => evaluations[project] ?? [],
      resolve: async (refs) => refs.map(() => null),
    },
    authenticate: async (request) => PRINCIPALS[request.headers.get("authorization") ?? ""],
    onError: (error) => errors.push(error),
  });
  const handler = createHandler({ routes: [group] });

  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> =>
    handler(
      new Request(`http://host${path}`, {
        method,
        headers: {
          authorization: "Bearer key-a",
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );

  /** The status and body of an answer. */
  const call = async (...of: Parameters<typeof ask>) => {
    const response = await ask(...of);
    // biome-ignore lint/suspicious/noExplicitAny: the bodies of answers are what the tests are about.
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };

  /** Creates a model and returns its id. */
  const model = async (name: string, baseModel = "tiny"): Promise<string> => {
    const made = await call("POST", "/v1/preview/models", {
      entity: "team-a",
      project: "p",
      name,
      base_model: baseModel,
    });
    return made.body.id;
  };

  /** Trains with `script` while `during` runs. */
  const training_ = async <T>(script: TrainerScript, during: () => Promise<T>): Promise<T> => {
    const stop = new AbortController();
    const onError = (error: unknown) => errors.push(error);
    const running = service.runJobs({ trainer: scriptedTrainer(script), onError }, stop.signal);
    try {
      return await during();
    } finally {
      stop.abort();
      await running;
    }
  };

  /** All events of a job, read page by page until it has ended. */
  const eventsOf = async (jobId: string) => {
    const all: { id: string; type: string; created_at: string; data: Record<string, unknown> }[] = [];
    for (;;) {
      const after = all.at(-1)?.id;
      const query = `wait=55${after === undefined ? "" : `&after=${after}`}`;
      const page = await call("GET", `/v1/preview/training-jobs/${jobId}/events?${query}`);
      all.push(...page.body.data);
      if (["training_ended", "training_failed"].includes(all.at(-1)?.type ?? "")) return all;
    }
  };

  return { group, service, clock, artifacts, errors, ask, call, model, training: training_, eventsOf };
}

/** A trajectory with one sampled answer. */
export function trajectory(reward: number, logprobs = true) {
  return {
    reward,
    metrics: { right: reward > 0 },
    metadata: { seed: 7 },
    messages_and_choices: [
      { role: "user", content: "what?" },
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: "that" },
        logprobs: logprobs
          ? { content: [{ token: "that", bytes: null, logprob: -0.5, top_logprobs: [] }] }
          : null,
      },
    ],
  };
}

/** Groups with rewards that differ, so that training has a signal. */
export const GROUPS = [{ trajectories: [trajectory(0), trajectory(1)], metadata: {}, exceptions: [] }];

/** A trainer that takes two steps and leaves one file. */
export function twoSteps(artifacts: {
  write(bytes: Iterable<Uint8Array>): Promise<{ sha256: string; size: number }>;
}): TrainerScript {
  return async function* (task) {
    yield { type: "started", num_sequences: 2 };
    yield { type: "step", step: 1, metrics: { loss: 2, reward: 0.5 } };
    yield { type: "step", step: 2, metrics: { loss: 1, reward: 0.5 } };
    const weights = new TextEncoder().encode(`weights of ${task.job_id}`);
    yield { type: "done", files: [{ name: "weights.bin", ...(await artifacts.write([weights])) }] };
  };
}
