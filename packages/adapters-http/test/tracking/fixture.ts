// The routes of runs and artifacts with everything in memory, and a client like W&B's.

import { createHash } from "node:crypto";
import { type TrackingService, trackingService } from "@assay/tracking-core";
import { trackedTraining } from "@assay/tracking-core/internal";
import { memoryTrackingStore } from "@assay/tracking-core/testing";
import { type TrainingService, trainingService } from "@assay/training-core";
import {
  countingIds,
  memoryArtifactStore,
  memoryTrainingData,
  memoryTrainingStore,
  simulatedClock,
} from "@assay/training-core/testing";
import { createHandler, type Principal, trackingRoutes } from "../../src/index.ts";
import type { TrackingRoutesOptions } from "../../src/tracking/tracking-routes.ts";

/** Two keys of two teams. The first team's key also opens the default entity. */
const PRINCIPALS: Readonly<Record<string, Principal>> = {
  "Bearer key-a": { id: "a", allows: (entity) => entity === "team-a" || entity === "default" },
  "Bearer key-b": { id: "b", allows: (entity) => entity === "team-b" },
};

// biome-ignore lint/suspicious/noExplicitAny: the bodies of answers are what the tests are about.
type Body = any;

/** A handler over fresh ports. Only moving `clock` advances time. */
export function openFixture(options: Partial<TrackingRoutesOptions> = {}) {
  const clock = simulatedClock(Date.UTC(2026, 10, 21));
  const ids = countingIds();
  const artifacts = memoryArtifactStore();
  const store = memoryTrainingStore();
  const tracking: TrackingService = trackingService({
    store: memoryTrackingStore(),
    artifacts,
    training: { store, importCheckpoint: (checkpoint) => training.importCheckpoint(checkpoint) },
    now: clock.now,
    newId: ids.next,
  });
  const training: TrainingService = trackedTraining(
    trainingService({ store, artifacts, data: memoryTrainingData(new Map()), clock, ids }),
    tracking,
  );
  const errors: unknown[] = [];
  const group = trackingRoutes({
    tracking,
    authenticate: async (request) => PRINCIPALS[request.headers.get("authorization") ?? ""],
    secret: new Uint8Array(32).fill(7),
    onError: (error) => errors.push(error),
    ...options,
  });
  const handler = createHandler({ routes: [group] });

  const send = async (
    method: string,
    path: string,
    body?: Body,
    key = "key-a",
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly body: Body }> => {
    const bytes = Buffer.isBuffer(body);
    const response = await handler(
      new Request(new URL(path, "http://host"), {
        method,
        headers: {
          ...(key !== "" && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && !bytes && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: bytes ? new Blob([new Uint8Array(body)]) : JSON.stringify(body) }),
      }),
    );
    const type = response.headers.get("content-type") ?? "";
    return {
      status: response.status,
      body: type.includes("json") ? await response.json() : Buffer.from(await response.arrayBuffer()),
    };
  };
  const graphql = async (query: string, variables: object = {}, key?: string): Promise<Body> =>
    (await send("POST", "/graphql", { query, variables, operationName: "" }, key)).body;
  const mutate = (name: string, input: object, fields: string, key?: string): Promise<Body> =>
    graphql(
      `mutation M($input: ${name}Input!) { result: ${name}(input: $input) { ${fields} } }`,
      { input },
      key,
    );

  /** Creates a run with these history lines. */
  const run = async (name: string, rows: readonly string[] = [], entity = "team-a", key?: string) => {
    const input = { name, modelName: "p", entityName: entity, config: '{"lr":{"value":0.1}}' };
    await mutate("upsertBucket", input, "inserted", key);
    const stream = { files: { "wandb-history.jsonl": { offset: 0, content: rows } } };
    return send("POST", `/files/${entity}/p/${name}/file_stream`, stream, key);
  };
  /** Logs an artifact with these files; resolves to its id and the answer to its commit. */
  const log = async (
    name: string,
    files: Readonly<Record<string, string>>,
    { entity = "team-a", type = "dataset", aliases = ["latest"], key = "key-a", leaveOut = "", ...more } = {},
  ) => {
    const contents = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [
        path,
        { digest: md5(text), size: Buffer.byteLength(text) },
      ]),
    );
    const manifest = JSON.stringify({ version: 1, contents });
    const created = await mutate(
      "createArtifact",
      {
        entityName: entity,
        projectName: "p",
        artifactTypeName: type,
        artifactCollectionName: name,
        digest: createHash("md5").update(manifest).digest("hex"),
        aliases: aliases.map((alias) => ({ alias })),
        ...more,
      },
      "artifact { id state }",
      key,
    );
    const { id, state } = created.data.result.artifact;
    if (state === "COMMITTED") return { id, committed: created };
    const specs = Object.entries(files).map(([path, text]) => ({
      artifactID: id,
      name: path,
      md5: md5(text),
    }));
    const wanted = await mutate(
      "createArtifactFiles",
      { artifactFiles: specs },
      "files { edges { node { uploadUrl } } }",
      key,
    );
    for (const [i, [path, text]] of Object.entries(files).entries()) {
      const url = wanted.data.result.files.edges[i].node.uploadUrl;
      if (url !== null && path !== leaveOut) await send("PUT", url, Buffer.from(text), "");
    }
    const made = await mutate(
      "createArtifactManifest",
      { artifactID: id, digest: md5(manifest) },
      "artifactManifest { file { uploadUrl } }",
      key,
    );
    await send("PUT", made.data.result.artifactManifest.file.uploadUrl, Buffer.from(manifest), "");
    return {
      id,
      committed: await mutate("commitArtifact", { artifactID: id }, "artifact { id versionIndex }", key),
    };
  };
  return { artifacts, clock, errors, group, graphql, handler, log, mutate, run, send, tracking, training };
}

/** The MD5 of a text in the encoding that clients use. */
export function md5(text: string | Uint8Array): string {
  return createHash("md5").update(text).digest("base64");
}
