// One life of a process with data directories: it checks what earlier processes had acknowledged, then writes records
// of all kinds to all directories concurrently until it is killed. `KINDS` has the kinds; lives.test.ts starts and
// kills the processes.
//
// Standard input is [directories, life, accounts] as JSON. Output is one line before each write starts and one when it
// is acknowledged, `started D KIND` and `acknowledged D KIND`, with the directory's index D; and `checked D` after
// checking. Each line is written synchronously, so that no kill can lose it. An account is { life, kinds: { KIND: {
// started, acknowledged } } }. Uses the built packages.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { openStore } from "../../packages/adapters-duckdb/dist/index.js";
import { callOf, textOf } from "../../packages/calls/dist/testing/index.js";

const OWNER = { entity: "acme", project: "lives" };
const PROJECT = `${OWNER.entity}/${OWNER.project}`;
const BATCH = 5;

const say = (...words) => writeSync(1, `${words.join(" ")}\n`);
const sha256 = (text) => createHash("sha256").update(text).digest("hex");
/** A UUID that is always the same for the same words. */
const uuid = (...words) =>
  sha256(words.join(" ")).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, "$1-$2-4$3-8$4-$5");

/** The calls of one batch, some with a payload that spans pages. */
const callsOf = (life, n) =>
  Array.from({ length: BATCH }, (_, i) =>
    callOf(uuid("call", life, n, i), i === 0 ? null : uuid("call", life, n, 0), {
      inputs: { question: `${life} ${n} ${i}` },
      output: "x".repeat(i * 1000),
    }),
  );

const runOf = (life, n) => ({
  ...OWNER,
  id: uuid("run", life),
  version: n + 1,
  name: `run-${life}`,
  displayName: `run ${life}`,
  createdAt: life,
  heartbeatAt: n,
  config: "{}",
  summary: JSON.stringify({ n }),
  tags: [],
  lines: { history: 3 * (n + 1), events: 0, output: 0 },
  lastStep: 3 * n + 2,
  historyKeys: [],
});
const linesOf = (life, n) =>
  [0, 1, 2].map((i) => ({
    line: 3 * n + i,
    step: 3 * n + i,
    text: JSON.stringify({ loss: 1 / (n + 1), life, i }),
  }));

/** Contents of a file, from a few bytes to a few hundred thousand. */
const bytesOf = (life, n) => Buffer.from(`${life} ${n} `.repeat(2 ** (n % 16)));

const modelOf = (life, n) => ({
  ...OWNER,
  id: uuid("model", life, n),
  version: 1,
  name: `m-${life}-${n}`,
  baseModel: "org/base",
  createdAt: n,
  headStep: 1,
  jobCount: 0,
  baseMetrics: {},
});
const checkpointOf = (life, n) => ({
  id: uuid("checkpoint", life, n),
  modelId: uuid("model", life, n),
  step: 1,
  parentStep: 0,
  jobId: uuid("job", life, n),
  files: [],
  metrics: { "train/loss": 0.25 },
  createdAt: 1,
});

const collectionOf = (life, n) => ({
  ...OWNER,
  id: uuid("collection", life, n),
  version: 1,
  name: `c-${life}-${n}`,
  type: "dataset",
  nextIndex: 1,
  createdAt: 0,
  updatedAt: 0,
});
const artifactOf = (life, n) => ({
  id: uuid("artifact", life, n),
  collectionId: uuid("collection", life, n),
  state: "COMMITTED",
  versionIndex: 0,
  digest: sha256(`artifact ${life} ${n}`).slice(0, 32),
  tags: [],
  createdBy: "run",
  wantedAliases: [],
  size: 1,
  fileCount: 1,
  createdAt: 0,
  updatedAt: 0,
});
const entryOf = (life, n) => ({ path: "a.txt", digest: "d", size: 1, sha256: sha256(`entry ${life} ${n}`) });

const keyOf = (life, n) => ({
  id: sha256(`key ${life} ${n}`).slice(0, 8),
  hash: sha256(`secret ${life} ${n}`),
  name: `key ${life} ${n}`,
  scopes: [OWNER],
  createdAt: n,
});

const usageOf = (life, n) => ({
  ...OWNER,
  id: uuid("usage", life, n),
  at: 1_700_000_000_000,
  key: "k",
  user: `user ${life} ${n}`,
  model: "org/model",
  step: null,
  streamed: false,
  outcome: "complete",
  promptTokens: n + 1,
  generatedTokens: 1,
  deliveredTokens: 1,
  counted: "engine",
});

/**
 * The kinds of records. `write` writes record n of a life. `read` returns its parts, with undefined for each missing
 * part; `whole` returns the expected parts.
 */
const KINDS = {
  calls: {
    write: ({ calls }, ...which) => calls.put(PROJECT, callsOf(...which).map(textOf)),
    read: async ({ calls }, ...which) => {
      const found = await calls.calls(
        PROJECT,
        callsOf(...which).map(({ id }) => id),
      );
      return found.map((call) => call && pick(call, ["id", "inputs", "output"]));
    },
    whole: (...which) => callsOf(...which).map((call) => pick(call, ["id", "inputs", "output"])),
  },
  runs: {
    write: async ({ tracking }, ...which) => {
      const lines = [{ stream: "history", lines: linesOf(...which), cutsOff: false }];
      assert.ok(await tracking.commitRun({ run: runOf(...which), lines }));
    },
    read: async ({ tracking }, life, n) => {
      const { id } = runOf(life, n);
      const isThere = ((await tracking.run({ ...OWNER, name: `run-${life}` }))?.version ?? 0) > n;
      const lines = await tracking.lines(id, "history", { from: 3 * n, limit: 3 });
      return [isThere || undefined, ...[0, 1, 2].map((i) => lines[i])];
    },
    whole: (...which) => [true, ...linesOf(...which)],
  },
  files: {
    write: ({ artifacts }, ...which) => artifacts.write([bytesOf(...which)]),
    read: async ({ artifacts }, ...which) => {
      const found = await artifacts.find(sha256(bytesOf(...which)));
      if (found === undefined) return [undefined];
      const pieces = [];
      for await (const piece of artifacts.read(found.sha256)) pieces.push(piece);
      return [sha256(Buffer.concat(pieces))];
    },
    whole: (...which) => [sha256(bytesOf(...which))],
  },
  models: {
    write: async ({ training }, ...which) =>
      assert.ok(
        await training.commit({ at: 0, model: modelOf(...which), checkpoints: [checkpointOf(...which)] }),
      ),
    read: async ({ training }, ...which) => [
      await training.model(modelOf(...which).id),
      await training.checkpoint(modelOf(...which).id, 1),
    ],
    whole: (...which) => [modelOf(...which), checkpointOf(...which)],
  },
  collections: {
    write: async ({ tracking }, ...which) => {
      const artifact = artifactOf(...which);
      const change = {
        collection: collectionOf(...which),
        artifacts: [artifact],
        entries: [{ artifactId: artifact.id, entries: [entryOf(...which)] }],
        aliases: [{ alias: "latest", artifactId: artifact.id }],
      };
      assert.ok(await tracking.commitCollection(change));
    },
    read: async ({ tracking }, ...which) => [
      await tracking.collectionWithId(collectionOf(...which).id),
      await tracking.aliased(collectionOf(...which).id, "latest"),
      (await tracking.entries(artifactOf(...which).id, { limit: 2 }))[0],
    ],
    whole: (...which) => [collectionOf(...which), artifactOf(...which), entryOf(...which)],
  },
  keys: {
    write: async ({ keys }, ...which) => assert.ok(await keys.add(keyOf(...which))),
    read: async ({ keys }, ...which) => [await keys.get(keyOf(...which).id)],
    whole: (...which) => [keyOf(...which)],
  },
  usage: {
    write: async ({ usage }, ...which) => {
      await usage.record(usageOf(...which));
      // Its journal is written immediately: without a pause it would starve the other kinds, and produce thousands of
      // records to check.
      await setTimeout(5);
    },
    read: async (stores, ...which) => {
      // One report for all records, since nothing is written during the check.
      stores.reported ??= new Map(
        (await stores.usage.report({ by: ["user"] })).map((row) => [row.user, row]),
      );
      const row = stores.reported.get(usageOf(...which).user);
      return [row && pick(row, ["requests", "promptTokens"])];
    },
    whole: (...which) => [{ requests: 1, promptTokens: usageOf(...which).promptTokens }],
  },
};

const pick = (object, names) => Object.fromEntries(names.map((name) => [name, object[name]]));

/**
 * Checks that all acknowledged writes are complete, that an unacknowledged write is complete or absent, and that there
 * are no others.
 */
async function check(stores, { life, kinds }) {
  for (const [kind, { started, acknowledged }] of Object.entries(kinds)) {
    const { read, whole } = KINDS[kind];
    for (let n = 0; n <= started; n++) {
      const found = await read(stores, life, n);
      const isNothing = found.every((part) => part === undefined);
      if (n >= acknowledged && isNothing) continue;
      const where = `${kind} ${n} of life ${life}, of which ${acknowledged} were acknowledged and ${started} started`;
      assert.ok(n < started, `${where}, exists although no process wrote it`);
      assert.deepEqual(found, whole(life, n), `${where}, is incomplete`);
    }
  }
}

async function live(directory, place, life, accounts) {
  const store = await openStore({ directory, tell: (message) => say("reported", place, message) });
  const stores = { ...store, keys: await store.openKeys(), usage: await store.openUsage() };
  for (const account of accounts) await check(stores, account);
  assert.equal(stores.usage.lost ?? 0, 0, "usage is reported as lost");
  say("checked", place);
  await Promise.all(
    Object.entries(KINDS).map(async ([kind, { write }]) => {
      for (let n = 0; ; n++) {
        say("started", place, kind);
        await write(stores, life, n);
        say("acknowledged", place, kind);
      }
    }),
  );
}

const [directories, life, accounts] = JSON.parse(readFileSync(0, "utf8"));
say("awake");
await Promise.all(directories.map((directory, place) => live(directory, place, life, accounts[place])));
