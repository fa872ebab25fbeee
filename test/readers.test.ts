// However invalid its input is, a reader reports at most a hundred issues, in linear time.

import { atOnce, type Result, type Steps } from "@assay/base";
import { cases } from "@assay/testing/cases";
import { expect, test } from "vitest";
import { readUpstreams } from "../packages/adapters-openai/src/index.ts";
import { nearest } from "../packages/base/src/text/suggest-names.ts";
import { readCall } from "../packages/calls/src/index.ts";
import { readRequest } from "../packages/eval-engine/src/query/request.ts";
import {
  readCompare,
  readRanking,
  readSlices,
} from "../packages/eval-engine/src/statistics/wire/read-body.ts";
import {
  readFieldsRequest,
  readRowGroups,
  readRowPage,
} from "../packages/eval-engine/src/view/wire/read-body.ts";
import { readKeyRequest } from "../packages/inference-core/src/keys/key-request.ts";
import { readEmbeddingRequest } from "../packages/inference-core/src/requests/embedding-request.ts";
import { readChatRequest } from "../packages/inference-core/src/requests/read-chat-request.ts";
import { readTextRequest } from "../packages/inference-core/src/requests/text-request.ts";
import { latestResponses } from "../packages/inference-core/src/responses/latest-responses.ts";
import { readResponsesRequest } from "../packages/inference-core/src/responses/read-responses-request.ts";
import { readPrices } from "../packages/inference-core/src/usage/prices.ts";
import { readTrainingConfig } from "../packages/server/src/training/config.ts";
import { readCallsQuery } from "../packages/trace-core/src/calls/read-calls-query.ts";
import { readBatch, readCompletes } from "../packages/trace-core/src/calls/read-pieces.ts";
import { readRefs } from "../packages/trace-core/src/objects/read-refs.ts";
import {
  readTableCreate,
  readTableFromDigests,
  readTableUpdate,
} from "../packages/trace-core/src/objects/tables.ts";
import { readLogs, readSpans } from "../packages/trace-core/src/otlp/export-spans.ts";
import { readManifest } from "../packages/tracking-core/src/artifact/manifest.ts";
import { readStreamUpdate } from "../packages/tracking-core/src/run/stream-update.ts";
import { readModelRequest } from "../packages/training-core/src/request/create-model.ts";
import { readFineTuningRequest } from "../packages/training-core/src/request/fine-tune.ts";
import { readLogRequest } from "../packages/training-core/src/request/log-trajectories.ts";
import { readRlRequest, readSftRequest } from "../packages/training-core/src/request/submit-job.ts";
import { readReports } from "../packages/training-core/src/worker/read-reports.ts";

type Reader = (given: unknown) => Result<unknown> | Steps<Result<unknown>>;

/** The readers of JSON values. */
const READERS: Readonly<Record<string, Reader>> = {
  "a query": readRequest,
  "a comparison": readCompare,
  slices: readSlices,
  "a ranking": readRanking,
  "a page of rows": readRowPage,
  "groups of rows": readRowGroups,
  fields: readFieldsRequest,
  prices: readPrices,
  "a call": readCall,
  "a chat": readChatRequest,
  "a response": (given) => readResponsesRequest(latestResponses().resolve("key", given)),
  "a completion": readTextRequest,
  embeddings: readEmbeddingRequest,
  "an API key": (given) => readKeyRequest(given, 0),
  "a query for calls": readCallsQuery,
  spans: (given) => readSpans(given, "acme/demo"),
  "log records": (given) => readLogs(given, "acme/demo"),
  "parts of calls": (given) => readBatch({ batch: given }, () => "id"),
  "whole calls": (given) => readCompletes({ batch: given }),
  references: readRefs,
  "a table": readTableCreate,
  "a table of existing rows": readTableFromDigests,
  "updates of a table": readTableUpdate,
  "a manifest": (given) => readManifest(JSON.stringify(given)),
  "lines of a run": readStreamUpdate,
  "a model": (given) => readModelRequest(given, { entity: "acme", project: "demo", newName: () => "m" }),
  "a fine-tuning job": readFineTuningRequest,
  trajectories: readLogRequest,
  "a reinforcement-learning job": readRlRequest,
  "a supervised fine-tuning job": readSftRequest,
  "reports of a worker": readReports,
};

/** The readers of configuration texts, which are slower. */
const TEXT_READERS: Readonly<Record<string, Reader>> = {
  engines: (given) => readUpstreams(JSON.stringify(given), {}),
  trainers: (given) => readTrainingConfig(JSON.stringify(given), {}),
};

/** Members that some reader examines. */
const MEMBERS = [
  ...[
    "query",
    "filters",
    "sort_by",
    "evaluation_call_ids",
    "measures",
    "measure",
    "fields",
    "row_filters",
    "by",
  ],
  ...[
    "upstreams",
    "trainers",
    "training_data",
    "prices",
    "models",
    "messages",
    "tools",
    "input",
    "prompt",
    "scopes",
  ],
  ...[
    "resourceSpans",
    "resourceLogs",
    "batch",
    "refs",
    "table",
    "rows",
    "row_digests",
    "updates",
    "contents",
    "files",
  ],
  ...[
    "config",
    "experimental_config",
    "trajectory_groups",
    "trajectories",
    "hyperparameters",
    "reports",
    "verbs",
  ],
];

const keys = (count: number, value: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));
const lists = (count: number, value: unknown): unknown[] => Array.from({ length: count }, () => value);

/** Values with `count` issues, also below some members. */
function values(count: number, members: readonly string[]): readonly unknown[] {
  const many = [
    keys(count, 1),
    keys(count, {}),
    lists(count, 1),
    lists(count, {}),
    lists(count, "x".repeat(10)),
  ];
  return [
    ...many,
    ...members.flatMap((member) => many.map((one) => ({ [member]: one }))),
    { upstreams: [keys(count, 1)] },
    {
      trainers: [
        { type: "ray", base_models: ["m"], address: "http://a", entrypoint: "e", resources: keys(count, 1) },
      ],
    },
    { m: keys(count, 1) },
  ];
}

/** The CPU time of a run in milliseconds. */
function timed(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const FAULTY = values(cases(20_000), MEMBERS);
const FAULTY_SETTINGS = values(cases(20_000), ["upstreams", "trainers", "prices"]);

test.each([
  ...Object.entries(READERS).map(([name, read]) => [name, read, FAULTY] as const),
  ...Object.entries(TEXT_READERS).map(([name, read]) => [name, read, FAULTY_SETTINGS] as const),
])("%s: at most a hundred issues, in linear time", (_, read, given) => {
  const issuesOf = (value: unknown): number => {
    const read_ = read(value);
    const result = "ok" in read_ ? read_ : atOnce(read_);
    return result.ok ? 0 : result.issues.length;
  };
  for (const value of given) {
    let issues = 0;
    const took = timed(() => {
      issues = issuesOf(value);
    });
    const what = JSON.stringify(value).slice(0, 60);
    expect(issues, what).toBeLessThanOrEqual(100);
    // Quadratic time would be at least ten times as long.
    expect(took, what).toBeLessThan(3000);
  }
});

test("the nearest of ten thousand names is found quickly, even among long ones", () => {
  const known = Array.from({ length: 10_000 }, (_, i) => `evaluation-${i}`);
  expect(nearest("evaluation-77x", known)).toContain("evaluation-77");
  const long = ["a", "b"].map((letter) => letter.repeat(1_000_000));
  expect(timed(() => nearest(`${long[0]}b`, long))).toBeLessThan(500);
  expect(nearest(long[0]!, long)).toEqual([long[0]]);
});
