import { createHash } from "node:crypto";
import { Fault } from "@assay/base";
import { describe, expect, test } from "vitest";
import { md5, openFixture } from "./fixture.ts";

const RUN_QUERY = (fields: string) =>
  `query Run($e: String, $n: String!) { project(name: "p", entityName: $e) { run(name: $n) { ${fields} } } }`;

describe("documents", () => {
  test("an unsupported root field is refused by its name and that of the operation", async () => {
    const { graphql } = openFixture();
    const answer = await graphql(
      "mutation Rewind($n: ID!) { ...Root } fragment Root on Mutation { rewindRun(input: {runName: $n}) { id } }",
    );
    expect(answer).toEqual({
      data: null,
      errors: [
        {
          message: "mutation rewindRun (asked for by Rewind) is not served here",
          extensions: { code: "NOT_SERVED" },
        },
      ],
    });
    expect((await graphql("subscription S { runs }")).errors[0].message).toBe(
      "subscriptions are not served here",
    );
  });

  test("aliases, fragments, @include, unknown types and unknown fields of newer clients are accepted", async () => {
    const { graphql } = openFixture();
    const query = `#graphql
      query Newer($none: [BrandNewInput!]!, $yes: Boolean = true, $no: Boolean!) {
        me: viewer(unknown: $none) { ...Who @include(if: $yes) email @include(if: $no) brandNew { field } }
      }
      fragment Who on User { called: username entity }`;
    expect(await graphql(query, { none: [], no: false })).toEqual({
      data: { me: { called: "a", entity: "default" } },
    });
  });

  test.each([
    [
      "sweeps(first: 1) { edges { node { id } } }",
      "sweeps are not supported: start the runs yourself, and give them one group (Project.sweeps, asked for by Q)",
    ],
    [
      'allViews(viewType: "runs") { edges { cursor } }',
      "reports are not supported (Project.allViews, asked for by Q)",
    ],
    ["...On", "the argument since of Project.runs (asked for by Q)"],
    [
      'artifactType(name: "t") { artifactCollection(name: "c") { artifacts(tags: ["a"]) { totalCount } } }',
      "tags",
    ],
  ])(
    "%s is refused by name, because ignoring it would give the answer to another question",
    async (fields, message) => {
      const { graphql } = openFixture();
      const query = `query Q($since: JSON = "2026") { project(name: "p", entityName: "team-a") { ${fields} } }
      fragment On on Project { runs(since: $since) { totalCount } }`;
      expect((await graphql(query)).errors[0].message).toContain(message);
    },
  );

  test("older clients can query the known types, but not nested ones", async () => {
    const { graphql } = openFixture();
    const query = `query InputFields($n: String!) { type: __type(name: $n) { ...Names } }
      fragment Names on __Type { fields { name args { name } } inputFields { name } }`;
    const members = async (n: string) => (await graphql(query, { n })).data.type;
    const input = await members("CreateArtifactInput");
    expect(input.inputFields).toContainEqual({ name: "historyStep" });
    expect(input.inputFields).not.toContainEqual({ name: "ttlDurationSeconds" });
    expect((await members("Run")).fields).toContainEqual({ name: "files", args: expect.any(Array) });
    expect(await members("Sweep")).toBeNull();
    const deep = await graphql('{ __type(name: "Run") { fields { type { fields { name } } } } }');
    expect(deep.errors[0].message).toBe("a type may be asked for at most 3 levels deep");
  });

  test("documents are limited in length, depth, and size with their fragments expanded", async () => {
    const { graphql } = openFixture();
    const message = async (query: string) => (await graphql(query)).errors[0].message;
    expect(await message(`{ viewer { ${"x ".repeat(60_000)} } }`)).toContain("at most 100000 characters");
    expect(await message(`{ viewer { ${"x ".repeat(6000)} } }`)).toContain("token");
    expect(await message(`${"{a".repeat(3000)}`)).toContain("at most 64 nested brackets");
    expect(await message(`query { viewer ${"{ a ".repeat(30)}${"} ".repeat(30)} }`)).toContain(
      "24 levels deep",
    );
    expect(
      await message("{ viewer { ...A } } fragment A on User { ...B } fragment B on User { ...A }"),
    ).toContain("contains itself");
    const doubling = Array.from(
      { length: 20 },
      (_, i) => `fragment F${i} on User { a { ...F${i + 1} } b { ...F${i + 1} } }`,
    );
    expect(await message(`{ viewer { ...F0 } } ${doubling.join(" ")} fragment F20 on User { id }`)).toContain(
      "at most 2000 fields",
    );
    expect(
      await message(`{ ${Array.from({ length: 30 }, (_, i) => `a${i}: viewer { id }`).join(" ")} }`),
    ).toContain("at most 20 fields at its root");
    expect(await message("{ viewer { id }")).toContain("Syntax Error");
    expect(await message("query A { viewer { id } } query B { viewer { id } }")).toContain("operationName");
  });

  test("Weave's clients learn who they are, and that projects need not be created", async () => {
    const { graphql } = openFixture();
    expect(await graphql("query DefaultEntity { viewer { username defaultEntity { name } } }")).toEqual({
      data: { viewer: { username: "a", defaultEntity: { name: "default" } } },
    });
    const project = "query Project($n: String!, $e: String!) { project(name: $n, entityName: $e) { name } }";
    expect(await graphql(project, { e: "team-a", n: "new" })).toEqual({ data: { project: { name: "new" } } });
    expect(await graphql(project, { e: "team-b", n: "own" })).toMatchObject({
      data: { project: null },
      errors: [{ extensions: { code: "PERMISSION_ERROR" } }],
    });
  });

  test("without a valid key the answer is a 401 as these clients expect it, and a failing store is a 503", async () => {
    const { send } = openFixture();
    expect(await send("POST", "/graphql", { query: "{ viewer { id } }" }, "wrong")).toMatchObject({
      status: 401,
      body: { errors: [{ message: expect.stringContaining("invalid API key") }] },
    });
    const broken = openFixture();
    broken.tracking.store.run = async () => {
      throw new Fault("unavailable", "the disk is away");
    };
    const query = { query: RUN_QUERY("id"), variables: { n: "r", e: "team-a" } };
    expect(await broken.send("POST", "/graphql", query)).toMatchObject({ status: 503 });
    expect(broken.errors).toHaveLength(1);
  });
});

describe("runs", () => {
  test("lines replace those with the same numbers, and a client that resumes learns its progress", async () => {
    const { graphql, run, send } = openFixture();
    await run("r", [
      '{"_step":0,"x":1}',
      '{"_step":1,"x":NaN}',
      '{"_step":2,"x":-Infinity,"t":"NaN, \\" Infinity"}',
    ]);
    const again = {
      files: { "wandb-history.jsonl": { offset: 2, content: ['{"_step":2,"x":3}', '{"_step":5,"x":4}'] } },
    };
    for (const _ of [1, 2])
      expect((await send("POST", "/files/team-a/p/r/file_stream", again)).body).toEqual({});
    const query = `query RunResumeStatus($project: String, $entity: String, $name: String!) {
      model(name: $project, entityName: $entity) { bucket(name: $name, missingOk: true) {
        name config historyLineCount eventsLineCount logLineCount historyTail eventsTail wandbConfig(keys: ["t"]) } } }`;
    const status = (await graphql(query, { project: "p", entity: "team-a", name: "r" })).data.model.bucket;
    expect(status).toEqual({
      name: "r",
      config: '{"lr":{"value":0.1}}',
      historyLineCount: 4,
      eventsLineCount: 0,
      logLineCount: 0,
      historyTail: JSON.stringify(['{"_step":5,"x":4}']),
      eventsTail: "[]",
      wandbConfig: '{"t":1}',
    });
    const fields = "history(minStep: 1, maxStep: 5, samples: 10) historyKeys";
    const found = (await graphql(RUN_QUERY(fields), { e: "team-a", n: "r" })).data.project.run;
    expect(found.history).toEqual(['{"_step":1,"x":"NaN"}', '{"_step":2,"x":3}']);
    expect(found.historyKeys.lastStep).toBe(5);
    const missing = await graphql(query, { project: "p", entity: "team-a", name: "other" });
    expect(missing.data.model.bucket).toBeNull();
  });

  test("a history that starts over belongs to a restarted run", async () => {
    const { graphql, run } = openFixture();
    await run("r", ['{"_step":0}', '{"_step":1}', '{"_step":2}']);
    await run("r", ['{"_step":0,"anew":true}']);
    const answer = await graphql(RUN_QUERY("historyLineCount history(samples: 10)"), { e: "team-a", n: "r" });
    expect(answer.data.project.run).toEqual({ historyLineCount: 1, history: ['{"_step":0,"anew":true}'] });
  });

  test("a run is running, then finished or failed, or crashed after a silence", async () => {
    const { clock, graphql, run, send } = openFixture();
    const state = async (name: string) =>
      (await graphql(RUN_QUERY("state"), { e: "team-a", n: name })).data.project.run.state;
    await run("good");
    await run("bad");
    await run("silent");
    await send("POST", "/files/team-a/p/good/file_stream", { complete: true, exitcode: 0 });
    await send("POST", "/files/team-a/p/bad/file_stream", { complete: true, exitcode: 137 });
    expect(await state("silent")).toBe("running");
    clock.advance(10 * 60_000);
    expect(await Promise.all(["good", "bad", "silent"].map(state))).toEqual([
      "finished",
      "failed",
      "crashed",
    ]);
  });

  test("an invalid stream is a 400, which clients do not retry, and changes nothing", async () => {
    const { run, send, graphql } = openFixture();
    await run("r", ['{"_step":0}']);
    const history = (chunk: object) => ({ files: { "wandb-history.jsonl": chunk } });
    for (const [body, said] of [
      [history({ offset: 1, content: ['{"_step":1}', "{"] }), "must be a JSON object"],
      [history({ offset: 1, content: ["[1]"] }), "must be a JSON object"],
      [history({ offset: -1, content: [] }), "offset must be a non-negative whole number"],
      [history({ offset: 3_000_000, content: ["{}"] }), "at most 2000000 lines"],
      [history({ offset: 0, content: [1] }), "list of strings"],
      [[], "the body must be an object"],
    ] as const) {
      const answer = await send("POST", "/files/team-a/p/r/file_stream", body);
      expect([answer.status, answer.body.errors[0].message]).toEqual([400, expect.stringContaining(said)]);
    }
    const after = await graphql(RUN_QUERY("historyLineCount"), { e: "team-a", n: "r" });
    expect(after.data.project.run.historyLineCount).toBe(1);
    expect((await send("POST", "/files/team-a/p/none/file_stream", {})).status).toBe(404);
  });

  test("any client can list runs, read one, and page through its history", async () => {
    const { clock, run, send } = openFixture();
    for (const name of ["one", "two", "three"]) {
      await run(name, ['{"_step":0,"loss":1}', '{"_step":1,"loss":0.5,"extra":2}', '{"_step":2,"extra":1}']);
      clock.advance(1000);
    }
    const first = (await send("GET", "/v2/team-a/p/runs?limit=2")).body;
    expect(first.runs.map(({ name }: { name: string }) => name)).toEqual(["three", "two"]);
    const next = (await send("GET", `/v2/team-a/p/runs?limit=2&after=${first.next}`)).body;
    expect(next).toMatchObject({ runs: [{ name: "one", state: "running", last_step: 2 }], next: null });
    expect((await send("GET", "/v2/team-a/p/runs/one")).body).toMatchObject({
      config: { lr: 0.1 },
      history_keys: ["_step", "loss", "extra"],
    });
    const history = (query: string) => send("GET", `/v2/team-a/p/runs/one/history?${query}`);
    expect((await history("key=loss")).body).toEqual({
      history: [
        { _step: 0, loss: 1 },
        { _step: 1, loss: 0.5 },
      ],
      next_step: null,
    });
    expect((await history("min_step=1&limit=1")).body).toEqual({
      history: [{ _step: 1, loss: 0.5, extra: 2 }],
      next_step: 2,
    });
    expect((await history("min_step=x")).status).toBe(422);
    expect((await send("GET", "/v2/team-a/p/runs?after=nonsense")).status).toBe(422);
    expect((await send("GET", "/v2/team-a/p%3Aq/runs")).status).toBe(422);
    expect((await send("GET", "/v2/team-a/p/runs/none")).status).toBe(404);
  });
});

test.each([
  ["upsertBucket", { sweep: "s" }, "upsertBucket.sweep is not supported"],
  ["upsertBucket", { state: "pending" }, "upsertBucket.state is not supported"],
  ["upsertBucket", { config: '{"_wandb":{"value":{"branch_point":{"run_id":"r"}}}}' }, "cannot be forked"],
  ["createArtifact", { ttlDurationSeconds: 60 }, "ttlDurationSeconds is not supported: artifacts are kept"],
  ["createArtifact", { distributedID: "d" }, "distributedID is not supported"],
  ["updateArtifact", { labels: "{}" }, "updateArtifact.labels is not supported"],
])("%s refuses %j by name, rather than ignore it", async (name, input, message) => {
  const { mutate } = openFixture();
  const asked = { name: "r", modelName: "p", entityName: "team-a", ...input };
  const { errors } = await mutate(name, name === "upsertBucket" ? asked : input, "clientMutationId");
  expect(errors[0].message).toContain(message);
});

test("a run shared by several programs is refused, because their lines would replace each other's", async () => {
  const { send } = openFixture();
  const query = 'mutation { upsertBucket(input: {name: "r", modelName: "p"}) { inserted } }';
  const headers = { "x-wandb-use-async-filestream": "true" };
  const { body } = await send("POST", "/graphql", { query }, "key-a", headers);
  expect(body.errors[0].message).toContain("cannot be shared");
});

describe("a stored run", () => {
  test("what an older version stored, nested too deeply, is left out of a run", async () => {
    const { tracking, run, graphql, send } = openFixture();
    await run("r");
    const stored = await tracking.store.run({ entity: "team-a", project: "p", name: "r" });
    const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`;
    const [config, summary] = [`{"deep":{"value":${deep}},"lr":{"value":0.1}}`, `{"deep":${deep},"loss":1}`];
    await tracking.store.commitRun({ run: { ...stored!, version: stored!.version + 1, config, summary } });
    const read = await send("GET", "/v2/team-a/p/runs/r");
    expect(read).toMatchObject({ status: 200, body: { config: { lr: 0.1 }, summary: { loss: 1 } } });
    expect(JSON.stringify(read.body)).toContain('"nested too deeply to be shown"');
    expect(await send("GET", "/v2/team-a/p/runs")).toMatchObject({ status: 200 });
    const query = '{ project(name: "p", entityName: "team-a") { run(name: "r") { config summaryMetrics } } }';
    const { config: shown, summaryMetrics } = (await graphql(query)).data.project.run;
    expect([JSON.parse(shown).lr.value, JSON.parse(summaryMetrics).loss]).toEqual([0.1, 1]);
    expect(shown.length).toBeLessThan(1000);
  });

  test("a project and a type of artifacts began with their first run or collection", async () => {
    const { graphql, log } = openFixture();
    await log("data", { "a.txt": "a" });
    const query = `{ models(entityName: "team-a") { edges { node { name createdAt
      artifactTypes { edges { node { createdAt } } } } } } }`;
    const createdAt = expect.stringContaining("2026-11-21");
    expect((await graphql(query)).data.models.edges).toEqual([
      { node: { name: "p", createdAt, artifactTypes: { edges: [{ node: { createdAt } }] } } },
    ]);
  });
});

describe("the list of runs", () => {
  /** Four runs, one second apart: the last one failed, and the first has no loss. */
  const withRuns = async () => {
    const fixture = openFixture();
    for (const [i, name] of ["r0", "r1", "r2", "r3"].entries()) {
      const config = JSON.stringify({
        lr: { value: i / 10 },
        deep: { value: { a: i, b: "x" } },
        label: { value: `l${i}` },
      });
      const summaryMetrics = i === 0 ? "{}" : `{"loss":${i === 3 ? "NaN" : 3 - i},"n":{"m":${i}}}`;
      const input = {
        name,
        modelName: "p",
        entityName: "team-a",
        config,
        summaryMetrics,
        displayName: `Run ${i}`,
      };
      const tags = { tags: ["all", `t${i}`], groupName: i < 2 ? "low" : "high" };
      await fixture.mutate("upsertBucket", { ...input, ...tags }, "inserted");
      await fixture.send("POST", `/files/team-a/p/${name}/file_stream`, {
        complete: true,
        exitcode: i === 3 ? 1 : 0,
      });
      fixture.clock.advance(1000);
    }
    return async (variables: object) => {
      const query = `query Runs($f: JSON, $o: JSON, $n: JSON, $after: JSON) { project(name: "p", entityName: "team-a") {
        runCount(filters: $f) runs(filters: $f, order: $o, first: $n, after: $after) {
          edges { node { name } cursor } pageInfo { hasNextPage endCursor } } } }`;
      return (await fixture.graphql(query, { o: "+created_at", ...variables })) as {
        readonly errors?: readonly { readonly message: string }[];
        readonly data: {
          readonly project: {
            readonly runCount: number;
            readonly runs: {
              readonly edges: readonly { readonly node: { readonly name: string } }[];
              readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
            };
          };
        };
      };
    };
  };

  test("lists and counts the runs that MongoDB's filters select", async () => {
    const list = await withRuns();
    const cases: readonly (readonly [object, string])[] = [
      [{ state: "failed" }, "3"],
      [{ state: { $ne: "failed" }, group: "low" }, "01"],
      [{ "config.lr": 0.1 }, "1"],
      [{ "config.lr.value": { $gte: 0.1, $lt: 0.3 } }, "12"],
      [{ "config.deep.a": { $in: [1, 3] } }, "13"],
      [{ "config.deep.value.a": 2 }, "2"],
      [{ "config.deep": { a: 2, b: "x" } }, "2"],
      [{ "summary_metrics.loss": { $lt: 2 } }, "2"],
      [{ "summary_metrics.loss": { $exists: false } }, "0"],
      [{ "summary_metrics.n.m": { $not: { $gt: 1 } } }, "01"],
      [{ "config.absent": null }, "0123"],
      [{ tags: "t2" }, "2"],
      [{ tags: { $in: ["t0", "t3"] } }, "03"],
      [{ tags: { $nin: ["t0", "t3"] } }, "12"],
      [{ tags: ["all", "t1"] }, "1"],
      [{ display_name: { $regex: "^Run [12]$" } }, "12"],
      [{ "config.label": { $regex: "l0|3" } }, "03"],
      [{ $or: [{ name: "r0" }, { $and: [{ state: "failed" }, { duration: 0 }] }] }, "03"],
      [{ $nor: [{ name: "r0" }, { name: "r1" }] }, "23"],
      [{ createdAt: { $gt: "2026-11-21T00:00:00" } }, "123"],
      [{ created_at: { $lte: "2026-11-21T01:00:01+01:00" } }, "01"],
    ];
    for (const [filter, runs] of cases) {
      const { data } = await list({ f: JSON.stringify(filter) });
      const found = data.project.runs.edges.map(({ node }) => node.name.slice(1)).join("");
      expect([filter, found, data.project.runCount]).toEqual([filter, runs, runs.length]);
    }
  });

  test.each([
    ["-created_at", "3210"],
    ["created_at", "0123"],
    ["+summary_metrics.loss", "2103"],
    ["-summary_metrics.loss", "1230"],
    ["-config.label.value", "3210"],
    ["+state", "3012"],
  ])("is ordered by %s, in pages, with missing values last", async (order, expected) => {
    const list = await withRuns();
    let names = "";
    for (let after: string | undefined; ; ) {
      const { runs } = (await list({ o: order, n: 1, after })).data.project;
      names += runs.edges.map(({ node }) => node.name.slice(1)).join("");
      if (!runs.pageInfo.hasNextPage) break;
      after = runs.pageInfo.endCursor;
    }
    expect(names).toBe(expected);
  });

  test.each([
    [{ f: '{"sweep":"s"}' }, "runs have no field sweep here: there are name, displayName, state"],
    [{ f: '{"host":"h"}' }, "runs have no field host"],
    [{ f: '{"name":{"$like":"r"}}' }, "filters have no operator $like here: there are $and"],
    [{ f: '{"$where":"1"}' }, "filters have no operator $where"],
    [{ f: '{"name":{"$regex":"(r)+"}}' }, "$regex takes"],
    [{ f: '{"createdAt":{"$gt":"soon"}}' }, "is compared with a time"],
    [{ f: "[]" }, "filters must be a JSON object"],
    [{ f: `${'{"$and":['.repeat(30)}{}${"]}".repeat(30)}` }, "at most 20 deep"],
    [{ o: "-zork" }, "runs have no field zork"],
    [{ after: "zork" }, "after must be the cursor of another page"],
  ])("refuses %j by name", async (variables, message) => {
    const list = await withRuns();
    expect((await list(variables)).errors?.[0]?.message).toContain(message);
  });
});

test("the files of a run are selected by an SQL pattern", async () => {
  const { graphql, mutate, run, send } = openFixture();
  await run("r");
  const files = ["a.json", "b.yaml", "sub/c.json", "d_json"];
  const input = { entityName: "team-a", projectName: "p", runName: "r", files };
  const created = await mutate("createRunFiles", input, "files { uploadUrl }");
  for (const { uploadUrl } of created.data.result.files) await send("PUT", uploadUrl, Buffer.from("x"), "");
  const query = `query F($p: JSON) { project(name: "p", entityName: "team-a") { run(name: "r") {
    files(pattern: $p) { edges { node { name } } } } } }`;
  const names = async (p: string) =>
    (await graphql(query, { p })).data.project.run.files.edges.map(
      ({ node }: { node: { name: string } }) => node.name,
    );
  expect(await names("%.json")).toEqual(["a.json", "sub/c.json"]);
  expect(await names("_.json")).toEqual(["a.json"]);
});

test("the output of a run is read in pages, or from its end", async () => {
  const { graphql, run, send } = openFixture();
  await run("r");
  const content = ["2026-11-21T00:00:00.123456 hello there", "ERROR 2026-11-21T00:00:01 oops", "bare"];
  await send("POST", "/files/team-a/p/r/file_stream", { files: { "output.log": { offset: 0, content } } });
  const query = `query L($first: Int, $after: String, $last: Int) { project(name: "p", entityName: "team-a") {
    run(name: "r") { logLines(first: $first, after: $after, last: $last, useImprovedPagination: true) {
      edges { node { number timestamp level label line } } pageInfo { hasNextPage endCursor } } } } }`;
  const page = async (variables: object) => (await graphql(query, variables)).data.project.run.logLines;
  const first = await page({ first: 2 });
  expect(first.edges.map(({ node }: { node: object }) => node)).toEqual([
    { number: 0, timestamp: "2026-11-21T00:00:00.123456", level: "", label: "", line: "hello there" },
    { number: 1, timestamp: "2026-11-21T00:00:01", level: "error", label: "", line: "oops" },
  ]);
  const bare = { node: { number: 2, timestamp: null, level: "", label: "", line: "bare" } };
  expect(await page({ first: 2, after: first.pageInfo.endCursor })).toMatchObject({ edges: [bare] });
  expect(await page({ last: 1 })).toMatchObject({ edges: [bare], pageInfo: { hasNextPage: false } });
});

test("metrics in objects are named with dots, and have the types of their values", async () => {
  const { graphql, run, send } = openFixture();
  const rows = [
    '{"_step":0,"loss":{"train":0.5},"img":{"_type":"image-file"}}',
    '{"_step":1,"loss":{"train":NaN}}',
  ];
  await run("r", rows);
  const specs = [JSON.stringify({ keys: ["_step", "loss.train"], samples: 5 })];
  const query = `query Run($s: [JSON]) { project(name: "p", entityName: "team-a") { run(name: "r") {
    sampledHistory(specs: $s) historyKeys } } }`;
  const { sampledHistory, historyKeys } = (await graphql(query, { s: specs })).data.project.run;
  expect(sampledHistory[0][0]).toEqual({ _step: 0, "loss.train": 0.5 });
  expect(historyKeys.keys).toMatchObject({
    "loss.train": { typeCounts: [{ type: "number", count: 2 }] },
    img: { typeCounts: [{ type: "image-file", count: 1 }] },
  });
  const { body } = await send("GET", "/v2/team-a/p/runs/r/history?key=loss.train");
  expect(body.history[0]).toEqual({ _step: 0, "loss.train": 0.5 });
});

test("an edit can remove all tags of a run, and a program without tags leaves them", async () => {
  const { graphql, mutate, run } = openFixture();
  await run("r");
  const named = { name: "r", modelName: "p", entityName: "team-a" };
  const tags = async (input: object) => {
    await mutate("upsertBucket", input, "inserted");
    return (await graphql(RUN_QUERY("id tags"), { e: "team-a", n: "r" })).data.project.run;
  };
  expect(await tags({ ...named, tags: ["a"] })).toMatchObject({ tags: ["a"] });
  const { id } = await tags({ ...named, tags: [] });
  expect(await tags({ id, notes: "b" })).toMatchObject({ tags: ["a"] });
  expect(await tags({ id, tags: [] })).toMatchObject({ tags: [] });
});

describe("a run whose name is used again", () => {
  const history = (offset: number, losses: readonly number[]) => ({
    files: {
      "wandb-history.jsonl": {
        offset,
        content: losses.map((loss, i) => JSON.stringify({ _step: offset + i, [`loss ${loss}`]: loss })),
      },
      "output.log": { offset: 0, content: losses.map((loss) => `printed ${loss}`) },
    },
    complete: true,
    exitcode: 0,
  });

  test.each([
    ["starts over when its program knows of no earlier run", {}, 0, [7, 8]],
    ["continues when its program gives its id", { resumes: true }, 3, [1, 2, 3, 7, 8]],
    ["starts over after a crash too", { crashed: true }, 0, [7, 8]],
  ])(
    "%s",
    async (_, { resumes = false, crashed = false }: { resumes?: boolean; crashed?: boolean }, from, kept) => {
      const { clock, mutate, send } = openFixture();
      const upsert = async (more: object) => {
        const input = { entityName: "team-a", modelName: "p", name: "r", ...more };
        const answer = await mutate("upsertBucket", input, "bucket { id historyLineCount }");
        return answer.data.result.bucket as { id: string; historyLineCount: number };
      };
      const { id } = await upsert({});
      const { complete: _ended, ...running } = history(0, [1, 2, 3]);
      await send("POST", "/files/team-a/p/r/file_stream", crashed ? running : history(0, [1, 2, 3]));
      if (crashed) clock.advance(600_000);
      const again = await upsert(resumes ? { id } : {});
      // A program that updates its config while it runs remains the same program.
      const between = resumes ? 5 : from;
      await send("POST", "/files/team-a/p/r/file_stream", { ...history(from, [7, 8]), complete: false });
      await upsert({ config: '{"a":{"value":1}}' });
      await send("POST", "/files/team-a/p/r/file_stream", { complete: true, exitcode: 0 });
      expect([again.id, again.historyLineCount, between >= from]).toEqual([id, from, true]);
      const { body: run } = await send("GET", "/v2/team-a/p/runs/r");
      const { body: lines } = await send("GET", "/v2/team-a/p/runs/r/history");
      const losses = (lines as { history: readonly { [name: string]: number }[] }).history.map(
        ({ _step, ...line }) => Object.values(line)[0],
      );
      expect(losses).toEqual(kept);
      expect(run).toMatchObject({ history_lines: kept.length, last_step: kept.length - 1 });
      expect((run as { history_keys: string[] }).history_keys.length).toBe(kept.length + 1);
    },
  );
});

describe("files", () => {
  test("an address is valid for one purpose, for an hour, and unchanged", async () => {
    const { clock, mutate, run, send, tracking } = openFixture();
    await run("r");
    const addresses = async (files: readonly string[]): Promise<string[]> => {
      const input = { entityName: "team-a", projectName: "p", runName: "r", files };
      const answer = await mutate("createRunFiles", input, "files { name uploadUrl }");
      return answer.data.result.files.map(({ uploadUrl }: { uploadUrl: string }) => uploadUrl);
    };
    const [good, escaping] = await addresses(["media/a b.txt", "../escapes"]);
    expect(good).toMatch(/^http:\/\/host\/wandb\/upload\//);
    expect((await send("PUT", good!, Buffer.from("bytes"), "")).status).toBe(200);
    expect((await send("PUT", escaping!, Buffer.from("bytes"), "")).body.errors[0].message).toContain(
      "without ..",
    );
    expect((await send("GET", good!.replace("upload", "download"), undefined, "")).status).toBe(403);
    expect(
      (
        await send(
          "PUT",
          good!.replace(/\.(.)/, (_, letter) => `.${letter === "A" ? "B" : "A"}`),
          Buffer.from("x"),
          "",
        )
      ).status,
    ).toBe(403);
    const [file] = await tracking.store.runFiles(
      (await tracking.store.run({ entity: "team-a", project: "p", name: "r" }))!.id,
      { limit: 9 },
    );
    expect(file).toMatchObject({
      name: "media/a b.txt",
      size: 5,
      md5: createHash("md5").update("bytes").digest("hex"),
    });
    const odd = "50%25 ü%2F+#?.txt";
    const [named] = await addresses([odd]);
    expect((await send("PUT", named!, Buffer.from("odd"), "")).status).toBe(200);
    for (const other of [good!.replace("a%20b", "b"), `${good}x`, `${good}/x`, good!.replace(/[^/]*$/, "")])
      expect([other, (await send("PUT", other, Buffer.from("x"), "")).status]).toEqual([other, 403]);
    clock.advance(3_600_001);
    expect((await send("PUT", good!, Buffer.from("bytes"), "")).status).toBe(403);
  });

  test("bytes with another digest are refused, and so is a file that is too large", async () => {
    const { artifacts, mutate, send, tracking } = openFixture({ maxFileBytes: 10 });
    const created = await mutate(
      "createArtifact",
      {
        entityName: "team-a",
        projectName: "p",
        artifactTypeName: "t",
        artifactCollectionName: "c",
        digest: "0".repeat(32),
      },
      "artifact { id }",
    );
    const { id } = created.data.result.artifact;
    const files = [{ artifactID: id, name: "f", md5: md5("right") }];
    const { uploadUrl } = (
      await mutate("createArtifactFiles", { artifactFiles: files }, "files { edges { node { uploadUrl } } }")
    ).data.result.files.edges[0].node;
    expect((await send("PUT", uploadUrl, Buffer.from("wrong"), "")).body.errors[0].message).toContain(
      "the bytes have the MD5",
    );
    expect((await send("PUT", uploadUrl, Buffer.alloc(11), "")).status).toBe(413);
    expect(
      await tracking.store.blobs({ entity: "team-a", project: "p" }, [
        createHash("md5").update("right").digest("hex"),
      ]),
    ).toEqual([]);
    expect(await artifacts.find(createHash("sha256").update("wrong").digest("hex"))).toBeUndefined();
    expect((await send("PUT", uploadUrl, Buffer.from("right"), "")).status).toBe(200);
    const again = await mutate(
      "createArtifactFiles",
      { artifactFiles: files },
      "files { edges { node { uploadUrl } } }",
    );
    expect(again.data.result.files.edges[0].node.uploadUrl).toBeNull();
  });
});

describe("artifacts", () => {
  const ARTIFACT =
    "artifactCollectionMembership(name: $n) { artifact { id state versionIndex digest fileCount size aliases { alias } } }";
  const BY_NAME = `query Q($e: String, $n: String!) { project(name: "p", entityName: $e) { ${ARTIFACT} } }`;

  test("an artifact is found by its name once it is complete, and not before", async () => {
    const { graphql, log, mutate } = openFixture();
    const find = async (name: string) =>
      (await graphql(BY_NAME, { e: "team-a", n: name })).data.project.artifactCollectionMembership?.artifact;
    const half = await log(
      "data",
      { "a.txt": "alpha", "b.txt": "beta", "c.txt": "gamma" },
      { leaveOut: "b.txt" },
    );
    expect(half.committed.errors[0].message).toBe("the bytes of b.txt were not uploaded");
    expect(await find("data")).toBeUndefined();
    const whole = await log("data", { "a.txt": "alpha", "b.txt": "beta", "c.txt": "gamma" });
    expect(await find("data:v0")).toMatchObject({
      id: whole.id,
      state: "COMMITTED",
      fileCount: 3,
      size: 14,
      aliases: [{ alias: "latest" }],
    });
    expect(
      (await mutate("commitArtifact", { artifactID: whole.id }, "artifact { versionIndex }")).data.result
        .artifact.versionIndex,
    ).toBe(0);
    const same = await log(
      "data",
      { "a.txt": "alpha", "b.txt": "beta", "c.txt": "gamma" },
      { aliases: ["best"] },
    );
    expect(same.id).toBe(whole.id);
    const next = await log("data", { "a.txt": "other" }, { aliases: ["latest", "best"] });
    expect((await find("data:best")).id).toBe(next.id);
    expect((await find("data:v0")).aliases).toEqual([]);
    expect(await find("data:v7")).toBeUndefined();
  });

  test("an artifact has the tags it was logged with, and lists the runs that used it", async () => {
    const { graphql, log, mutate, run } = openFixture();
    await run("r");
    const { id } = await log("ds", { a: "1" }, { tags: [{ tagName: "t" }] } as object);
    const used = { artifactID: id, entityName: "team-a", projectName: "p", runName: "r", usedAs: "ds:v0" };
    await mutate("useArtifact", used, "artifact { id }");
    const query = `query A($id: ID!) { artifact(id: $id) { tags { name } commitHash usedBy { edges { node { name } } }
      artifactMemberships { edges { node { artifactCollection { name } } } } } }`;
    expect((await graphql(query, { id })).data.artifact).toEqual({
      tags: [{ name: "t" }],
      commitHash: expect.any(String),
      usedBy: { edges: [{ node: { name: "r" } }] },
      artifactMemberships: { edges: [{ node: { artifactCollection: { name: "ds" } } }] },
    });
    const list = `query L($o: JSON, $f: JSON) { project(name: "p", entityName: "team-a") {
      artifactCollection(name: "ds") { artifacts(order: $o) { totalCount } }
      artifactCollections(filters: $f) { totalCount } } }`;
    const refused = async (variables: object) => (await graphql(list, variables)).errors[0].message;
    expect(await refused({ o: "+versionIndex" })).toContain("newest first");
    expect(await refused({ f: '{"name":"x"}' })).toContain("take no filters");
  });

  test("a manifest with paths outside its folder, or with wrong sizes, is refused", async () => {
    const { log, mutate, send } = openFixture();
    expect((await log("data", { "../up": "x" })).committed.errors[0].message).toContain(
      "must be relative, without ..",
    );
    expect((await log("data", { "/abs": "x" })).committed.errors[0].message).toContain("must be relative");
    const { id } = await log("sizes", { f: "y" }, { leaveOut: "f" });
    const manifest = JSON.stringify({ contents: { f: { digest: md5("y"), size: 2 } } });
    const made = await mutate(
      "createArtifactManifest",
      { artifactID: id, digest: md5(manifest) },
      "artifactManifest { file { uploadUrl } }",
    );
    await send("PUT", made.data.result.artifactManifest.file.uploadUrl, Buffer.from(manifest), "");
    await log("other", { f: "y" });
    expect(
      (await mutate("commitArtifact", { artifactID: id }, "artifact { id }")).errors[0].message,
    ).toContain("has 1 bytes, not 2");
  });

  test("an adapter uploaded under a model's name becomes its next checkpoint, and checkpoints are artifacts", async () => {
    const { graphql, log, mutate, training } = openFixture();
    const name = { entity: "team-a", project: "p", name: "tuned" };
    const lora = {
      type: "lora",
      aliases: ["latest", "step3"],
      metadata: JSON.stringify({ "wandb.base_model": "base" }),
    };
    const { id } = await log("tuned", { "adapter_model.safetensors": "weights" }, lora);
    const model = await training.store.modelNamed(name);
    expect(model).toMatchObject({ baseModel: "base", headStep: 3 });
    expect(await training.store.checkpoint(model!.id, 3)).toMatchObject({
      id: Buffer.from(id, "base64").toString().replace("Artifact:", ""),
      files: [{ name: "adapter_model.safetensors", size: 7 }],
    });
    const find = async (alias: string) =>
      (await graphql(BY_NAME, { e: "team-a", n: `tuned:${alias}` })).data.project.artifactCollectionMembership
        ?.artifact;
    expect(await find("step3")).toMatchObject({ id, versionIndex: 3 });
    expect(
      (await mutate("addAliases", { artifactID: id, aliases: [{ alias: "step9" }] }, "success")).errors[0]
        .message,
    ).toContain("name of a checkpoint");
    // A checkpoint imported another way becomes an artifact at the first request for it.
    const { sha256, size } = (await training.store.checkpoint(model!.id, 3))!.files[0]!;
    await training.importCheckpoint({
      model: name,
      id: "11111111-2222-4333-8444-555555555555",
      files: [{ name: "w", sha256, size }],
    });
    expect(await find("latest")).toMatchObject({
      versionIndex: 4,
      aliases: [{ alias: "latest" }, { alias: "step4" }],
    });
    await training.deleteCheckpoints(model!.id, [4]);
    expect(await find("latest")).toMatchObject({ id });
    expect(await find("step4")).toBeUndefined();
    expect(await training.deleteModel(model!.id)).toEqual({ checkpoints: 1, run: false });
    expect(await find("latest")).toBeUndefined();
  });

  test("a model has a run, which is deleted with it", async () => {
    const { send, training } = openFixture();
    const made = await training.createModel({
      entity: "team-a",
      project: "p",
      name: "m",
      baseModel: "base",
      returnExisting: true,
    });
    expect((await send("GET", "/v2/team-a/p/runs/m")).body).toMatchObject({
      config: { base_model: "base" },
      state: "finished",
    });
    for (let i = 0; i < 2; i++) {
      expect(await training.deleteModel(made.ok ? made.value.id : "")).toEqual({ checkpoints: 0, run: true });
    }
    expect((await send("GET", "/v2/team-a/p/runs/m")).status).toBe(404);
  });
});
