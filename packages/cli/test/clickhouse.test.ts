// The command over ClickHouse: the same commands on the same evaluations, in a data directory and in ClickHouse. The
// test starts a server, or uses the one in ASSAY_TEST_CLICKHOUSE_URL.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectClickHouse } from "@assay/adapters-clickhouse/internal";
import { evaluationLines, rowLines } from "@assay/testing/calls";
import { noTestServer, testServer } from "@assay/testing/clickhouse-server.mjs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assay, folder } from "./run-in-process.ts";

const database = `assay_cli_${process.pid}`;
let server: Awaited<ReturnType<typeof testServer>> | undefined;
let store = "";

beforeAll(async () => {
  if (noTestServer) return;
  server = await testServer();
  store = `${server.url.replace(/^http/, "clickhouse").replace(/\/$/, "")}/${database}`;
});

afterAll(async () => {
  if (server === undefined) return;
  const { clickhouse, close } = connectClickHouse(store);
  await clickhouse.command(`DROP DATABASE IF EXISTS ${database}`);
  await close();
  await server.stop();
});

const BODY = {
  evaluation_call_ids: ["one", "two"],
  include_raw_data_rows: true,
  resolve_row_refs: true,
  include_summary: true,
  sort_by: [{ field: "scores.closeness", direction: "asc", mode: "difference" }],
  filters: [
    {
      query: {
        $expr: {
          $in: [
            { $getField: "inputs.question" },
            // Too large for a URL.
            Array.from({ length: 5000 }, (_, n) => ({ $literal: `question ${n}` })),
          ],
        },
      },
    },
  ],
};

test.skipIf(noTestServer)(
  "import, query, evaluations and serve work over ClickHouse as over a data directory",
  async () => {
    const here = folder();
    const file = (name: string, lines: readonly string[]): string => {
      writeFileSync(join(here, name), `${lines.join("\n")}\n`);
      return join(here, name);
    };
    const calls = file("calls.jsonl", [
      ...evaluationLines("one", [true, false, true, true]),
      ...evaluationLines("two", [true, true, false], 200),
    ]);
    const rows = file("rows.jsonl", rowLines(4));
    const body = file("body.json", [JSON.stringify(BODY)]);
    const data = join(here, "data");
    const env = { ASSAY_STORE: store };

    const early = await assay(["query", "acme/demo", body], { env });
    expect([early.exitCode, early.stderr]).toEqual([1, expect.stringContaining("assay clickhouse migrate")]);
    const first = await assay(["clickhouse", "migrate"], { env });
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("now at step") });
    const again = await assay(["clickhouse", "migrate"], { env });
    expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("is up to date") });

    for (const options of [{ env }, { env: { ASSAY_DATA: data } }]) {
      const imported = await assay(["import", "acme/demo", calls, "--rows", rows], options);
      expect([imported.exitCode, imported.stderr]).toEqual([0, ""]);
    }
    for (const args of [
      ["query", "acme/demo", body, "--format", "json"],
      ["query", "acme/demo", "--format", "json"],
      ["evaluations", "acme/demo", "--format", "json"],
    ]) {
      const [kept, pushed] = [await assay(args, { env: { ASSAY_DATA: data } }), await assay(args, { env })];
      expect([pushed.exitCode, pushed.stderr]).toEqual([0, ""]);
      // Over ClickHouse, listing evaluations reads no payloads, and only they contain the dataset.
      const known = (text: string) => JSON.parse(text, (key, value) => (key === "dataset" ? null : value));
      expect(known(pushed.stdout)).toEqual(known(kept.stdout));
    }
    // Stored directions, directions by name, and warnings are the same from the directory, in process and pushed down.
    const questions = [
      ["scores", "acme/demo", "--format", "json"],
      ["compare", "acme/demo", "one", "two", "--format", "json"],
      ["compare", "acme/demo", "one", "two", "--slices", "--format", "json"],
      ["compare", "acme/demo", "one", "two", "--ranking", "--format", "json"],
      ["query", "acme/demo", "--where", "scores.clsoeness > 1", "--format", "json"],
      ["query", "acme/demo", "--where", 'scores.closeness = "yes"', "--format", "json"],
    ];
    for (const direction of ["--lower", "--none", "--forget"]) {
      for (const options of [{ env }, { env: { ASSAY_DATA: data } }])
        expect(await assay(["scores", "acme/demo", "closeness", direction], options)).toMatchObject({
          exitCode: 0,
          stderr: "",
        });
      for (const args of questions) {
        const kept = await assay(args, { env: { ASSAY_DATA: data } });
        for (const ASSAY_STORE of [store, `${store}?in_process_trials=0`])
          expect(await assay(args, { env: { ASSAY_STORE } }), args.join(" ")).toEqual(kept);
      }
    }
    const explained = await assay(["clickhouse", "explain", "acme/demo", body], { env });
    expect(JSON.parse(explained.stdout)).toMatchObject({ where: "process", trials: 7 });
    // The URL sets the size limit; the answer stays the same.
    const small = {
      ASSAY_STORE: `${store}?in_process_trials=2&max_execution_time=50&max_memory_usage=4000000000`,
    };
    const below = await assay(["clickhouse", "explain", "acme/demo", body], { env: small });
    expect(JSON.parse(below.stdout)).toMatchObject({ where: "database", trials: 7 });
    const [kept, pushed] = [
      await assay(["query", "acme/demo", body, "--format", "json"], { env: { ASSAY_DATA: data } }),
      await assay(["query", "acme/demo", body, "--format", "json"], { env: small }),
    ];
    expect(JSON.parse(pushed.stdout)).toEqual(JSON.parse(kept.stdout));
    const { clickhouse, close } = connectClickHouse(store);
    await clickhouse.command("SYSTEM FLUSH LOGS");
    const limits = "Settings['max_execution_time'] = '50' AND Settings['max_memory_usage'] = '4000000000'";
    const sql = `SELECT count() FROM system.query_log WHERE position(query, {table:String}) > 0 AND ${limits}`;
    const [[limited]] = (await clickhouse.query({ sql, params: { table: `FROM ${database}.trials` } })) as [
      [string],
    ];
    expect(Number(limited)).toBeGreaterThan(0);
    await close();
    const wrong = await assay(["query", "acme/demo", body, "--store", `${store}?max_execution_time=soon`]);
    expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining("max_execution_time")]);

    // Export writes the imported data, for all evaluations and for single ones.
    for (const args of [[], ["--evaluation", "two"]]) {
      const [ours, theirs] = [join(here, "ours.jsonl"), join(here, "theirs.jsonl")];
      const [oursRows, theirsRows] = [join(here, "ours-rows.jsonl"), join(here, "theirs-rows.jsonl")];
      const command = (output: string, rows: string) => [
        "export",
        "acme/demo",
        ...args,
        "--output",
        output,
        "--rows",
        rows,
      ];
      const exported = await assay(command(ours, oursRows), { env });
      expect(exported, exported.stderr).toMatchObject({ exitCode: 0 });
      await assay(command(theirs, theirsRows), { env: { ASSAY_DATA: data } });
      const sorted = (path: string): readonly string[] => readFileSync(path, "utf8").split("\n").sort();
      expect(sorted(ours)).toEqual(sorted(theirs));
      expect(sorted(oursRows)).toEqual(sorted(theirsRows));
    }
  },
);

test.skipIf(noTestServer)("calls logged to a server over ClickHouse are visible to its queries", async () => {
  const here = folder();
  const settings = join(here, "assay.yaml");
  writeFileSync(settings, "prices: { gpt: { input: 0.15, output: 0.6 } }");
  const env = { ASSAY_STORE: store, ASSAY_DATA: join(here, "data"), ASSAY_CONFIG: settings };
  expect((await assay(["clickhouse", "migrate"], { env })).exitCode).toBe(0);
  await overHttp(env, async (url) => {
    const post = async (path: string, body: unknown): Promise<unknown> => {
      const response = await fetch(`${url}${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      expect(response.status, await response.clone().text()).toBe(200);
      return response.json();
    };
    const piece = {
      project_id: "acme/logged",
      id: "t1",
      trace_id: "run",
      parent_id: "run",
      op_name: "Evaluation.predict_and_score",
      started_at: "2026-01-01T00:00:00Z",
      attributes: {},
      inputs: { example: { q: 1 } },
    };
    const end = {
      project_id: "acme/logged",
      id: "t1",
      ended_at: "2026-01-01T00:00:01Z",
      output: { scores: { s: 1 } },
      summary: { usage: { gpt: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } } },
    };
    // The end arrives before the start.
    await post("/call/upsert_batch", { batch: [{ mode: "end", req: { end } }] });
    await post("/call/upsert_batch", { batch: [{ mode: "start", req: { start: piece } }] });
    const answer = await post("/v2/acme/logged/eval_results/query", { evaluation_call_ids: ["run"] });
    expect(answer).toMatchObject({
      total_rows: 1,
      rows: [{ evaluations: [{ trials: [{ scores: { s: 1 } }] }] }],
    });
  });
  // Costs are the same whether the query is answered in this process or in the database.
  const body = join(here, "costs.json");
  writeFileSync(body, '{ "evaluation_call_ids": ["run"], "include_summary": true }');
  for (const ASSAY_STORE of [store, `${store}?in_process_trials=0`]) {
    const asked = ["query", "acme/logged", body, "--include-costs", "--allow-missing"];
    const { stdout, stderr } = await assay(asked, { env: { ...env, ASSAY_STORE } });
    expect(JSON.parse(stdout || stderr)).toMatchObject({
      rows: [{ evaluations: [{ trials: [{ total_cost: 0.000021 }] }] }],
      summary: { evaluations: [{ predict_total_cost: 0.000021 }] },
    });
  }
});

test.skipIf(noTestServer)(
  "deleted data is in none of ClickHouse's files, and everything else remains",
  async () => {
    const here = folder();
    const env = { ASSAY_STORE: store, ASSAY_DATA: join(here, "data") };
    expect((await assay(["clickhouse", "migrate"], { env })).exitCode).toBe(0);
    const secret = "correct-horse-battery-staple";
    const table = (model: string, word: string) => [
      "id,question,answer,correct,model",
      `1,what,${word},true,${model}`,
      `2,who,"${word}\nB",false,${model}`,
    ];
    for (const [project, model, word] of [
      ["acme/doomed", "kept", "harmless"],
      ["acme/doomed", "gone", secret],
      ["acme/other", "gone", "harmless"],
      ["acme/whole", "gone", secret],
    ] as const) {
      const path = join(here, `${model}.csv`);
      writeFileSync(path, `${table(model, word).join("\n")}\n`);
      expect(await assay(["import", project, path], { env })).toMatchObject({ exitCode: 0 });
    }
    const calls = join(here, "calls.jsonl");
    writeFileSync(
      calls,
      `${evaluationLines("one", [true, false]).join("\n").replaceAll("acme/demo", secret)}\n`,
    );
    expect(await assay(["import", "acme/doomed", calls], { env })).toMatchObject({ exitCode: 0 });
    const listed = async (project: string) => {
      const { stdout } = await assay(["evaluations", project, "--format", "json"], { env });
      return JSON.parse(stdout) as readonly { readonly name: string }[];
    };
    const before = (await listed("acme/doomed")).map(({ name }) => name).sort();
    expect(before).toEqual(expect.arrayContaining(["gone", "kept"]));
    // Short texts stay readable in compressed columns.
    if (server?.folder !== undefined) expect(filesWith(server.folder, secret)).not.toEqual([]);
    const unconfirmed = await assay(["delete", "acme/doomed", "gone"], { env });
    expect([unconfirmed.exitCode, unconfirmed.stderr]).toEqual([2, expect.stringContaining("--yes")]);
    expect(await listed("acme/doomed")).toHaveLength(before.length);

    const gone = await assay(["delete", "acme/doomed", "gone", "--yes"], { env });
    expect([gone.exitCode, gone.stdout]).toEqual([0, expect.stringContaining("3 calls and 0 dataset rows")]);
    await overHttp(env, async (url) => {
      const remove = (path: string) => fetch(`${url}/v2/acme/${path}`, { method: "DELETE" });
      expect((await remove("doomed/eval_results/evaluations/nothing")).status).toBe(404);
      const of = "doomed/eval_results/evaluations";
      expect((await remove(`${of}?evaluation=one&evaluation=nothing`)).status).toBe(404);
      expect(await listed("acme/doomed")).toHaveLength(before.length - 1);
      const some = await remove(`${of}?evaluation=one`);
      expect([some.status, await some.json()]).toMatchObject([200, { rows: 0 }]);
      const whole = await remove("whole");
      expect([whole.status, await whole.json()]).toMatchObject([200, { calls: 3 }]);
      expect((await remove("whole")).status).toBe(404);
    });
    expect((await listed("acme/doomed")).map(({ name }) => name)).toEqual(["kept"]);
    expect((await listed("acme/other")).map(({ name }) => name)).toEqual(["gone"]);
    const rows = await assay(["query", "acme/doomed", "kept", "--format", "json"], { env });
    expect(JSON.parse(rows.stdout)).toMatchObject({ total_rows: 2 });
    if (server?.folder === undefined) return;
    // A server removes old parts from its disk; chDB leaves that to the embedding program. The operator is responsible
    // for ClickHouse's own logs of statements (system.query_log), see docs/how-to/clickhouse.md.
    const { clickhouse, close } = connectClickHouse(store);
    const old = await clickhouse.query({ sql: "SELECT path FROM system.parts WHERE NOT active", params: {} });
    await close();
    const isOld = (path: string) => old.some(([part]) => path.startsWith(part as string));
    const isLog = (path: string) => path.includes("/system/query_log/");
    expect(filesWith(server.folder, secret).filter((path) => !isOld(path) && !isLog(path))).toEqual([]);
  },
);

/** Serves over ClickHouse while `ask` runs. */
async function overHttp(
  env: { readonly [name: string]: string },
  ask: (url: string) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  let tell = (_url: string): void => {};
  const started = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const ended = assay(["serve", "--port", "0"], {
    env,
    signal: stop.signal,
    onOutput: (text) => {
      const url = /http:\/\/[^ ]+/.exec(text)?.[0];
      if (url !== undefined) tell(url);
    },
  });
  const url = await Promise.race([started, ended.then(({ stderr }) => Promise.reject(stderr))]);
  try {
    await ask(url);
  } finally {
    stop.abort();
  }
  expect((await ended).exitCode).toBe(0);
}

/** The files below a folder that contain a text. */
function filesWith(root: string, text: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

test("an invalid address and an unreachable server are reported", async () => {
  const wrong = await assay(["query", "a/b", "--store", "http://localhost"]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining("clickhouse://")]);
  const absent = await assay(["query", "a/b", "--store", "clickhouse://127.0.0.1:1/x"]);
  expect([absent.exitCode, absent.stderr]).toEqual([1, expect.stringContaining("does not answer")]);
  const none = await assay(["clickhouse", "migrate"]);
  expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining("ASSAY_STORE")]);
});
