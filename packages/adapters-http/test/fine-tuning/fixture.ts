// Fine-tuning routes with everything in memory, a scripted trainer, and two keys of two teams.

import { trainingService } from "@assay/training-core";
import {
  countingIds,
  memoryArtifactStore,
  memoryTrainingData,
  memoryTrainingStore,
  scriptedTrainer,
  simulatedClock,
} from "@assay/training-core/testing";
import { createHandler, fineTuningRoutes, type Principal } from "../../src/index.ts";
import { twoSteps } from "../training/fixture.ts";

const PRINCIPALS: Readonly<Record<string, Principal>> = {
  "key-a": {
    id: "a",
    home: { entity: "team-a", project: "p" },
    allows: (entity, project) => entity === "team-a" && project === "p",
  },
  "key-b": {
    id: "b",
    home: { entity: "team-b", project: "p" },
    allows: (entity, project) => entity === "team-b" && project === "p",
  },
};

/** A row to train on that contains `word`. */
export function rowWith(word: string): string {
  const messages = [
    { role: "user", content: "say it" },
    { role: "assistant", content: word },
  ];
  return JSON.stringify({ messages });
}

/** Routes over fresh ports that accept at most `maxDataBytes` of a file. */
export function openFixture(maxDataBytes = 10_000) {
  const artifacts = memoryArtifactStore();
  const store = memoryTrainingStore();
  const service = trainingService({
    store,
    artifacts,
    data: memoryTrainingData(new Map()),
    clock: simulatedClock(Date.UTC(2026, 10, 21)),
    ids: countingIds(),
    policy: { maxDataBytes },
  });
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const group = fineTuningRoutes({
    training: service,
    authenticate: async (request) => PRINCIPALS[request.headers.get("authorization")?.slice(7) ?? ""],
    onError,
  });
  const handler = createHandler({ routes: [group] });

  const ask = async (
    key: string,
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const json = body !== undefined && !(body instanceof FormData) && typeof body !== "string";
    const response = await handler(
      new Request(`http://host${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(json && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: json ? JSON.stringify(body) : (body as FormData | string) }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    // biome-ignore lint/suspicious/noExplicitAny: the bodies of answers are what the tests are about.
    return { status: response.status, text, body: (isJson ? JSON.parse(text) : undefined) as any };
  };
  const form = (text: string, { name = "rows.jsonl", purpose = "fine-tune", fileFirst = false } = {}) => {
    const made = new FormData();
    if (!fileFirst) made.set("purpose", purpose);
    made.set("file", new Blob([text]), name);
    if (fileFirst) made.set("purpose", purpose);
    return made;
  };
  const upload = async (key: string, text: string, options: Parameters<typeof form>[1] = {}) =>
    ask(key, "POST", "/v1/files", form(text, options));
  /** Trains all queued jobs while `during` runs. */
  const trained = async <T>(during: () => Promise<T>): Promise<T> => {
    const stop = new AbortController();
    const running = service.runJobs({ trainer: scriptedTrainer(twoSteps(artifacts)), onError }, stop.signal);
    try {
      return await during();
    } finally {
      stop.abort();
      await running;
    }
  };
  /** A job once it has ended. */
  const ended = async (key: string, id: string) => {
    for (;;) {
      const { body } = await ask(key, "GET", `/v1/fine_tuning/jobs/${id}`);
      if (body.finished_at !== null) return body;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { handler, group, artifacts, ask, ended, errors, form, service, store, trained, upload };
}
