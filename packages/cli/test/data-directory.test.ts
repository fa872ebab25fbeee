// The built command on a data directory with missing or damaged files, or with files that others may read.

import { chmodSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { evaluationLines, rowLines } from "@assay/testing/calls";
import { type Ended, assay as run } from "@assay/testing/command";
import { type AssayServer, builtServer } from "@assay/testing/server";
import { beforeEach, describe, expect, test } from "vitest";
import { folder } from "./run-in-process.ts";

/** Runs the built command on the directory. */
const assay = (...args: readonly string[]): Promise<Ended> => run(args, { env: { ASSAY_DATA: data } });

let data = "";
const file = (name: string): string => join(data, name);

beforeEach(async () => {
  const home = folder();
  data = join(home, "data");
  writeFileSync(
    join(home, "calls.jsonl"),
    [...evaluationLines("one", [true, false]), ...evaluationLines("two", [true])].join("\n"),
  );
  writeFileSync(join(home, "rows.jsonl"), rowLines(2).join("\n"));
  const imported = await assay(
    "import",
    "acme/demo",
    join(home, "calls.jsonl"),
    "--rows",
    join(home, "rows.jsonl"),
  );
  expect(imported).toMatchObject({ exitCode: 0 });
});

const listed = async (): Promise<unknown> => JSON.parse((await assay("evaluations", "acme/demo")).stdout);

const asJson = (body: object): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** Logs one record of each kind; returns the digests of an object, a table and a file. */
async function logEach({
  url,
}: AssayServer): Promise<readonly [object: string, table: string, file: string]> {
  const said = async (path: string, init: RequestInit) => {
    const answer = await fetch(`${url}${path}`, init);
    expect([path, answer.status]).toEqual([path, 200]);
    return ((await answer.json()) as { readonly digest: string }).digest;
  };
  const project_id = "acme/demo";
  const form = new FormData();
  form.set("project_id", project_id);
  form.set("file", new Blob(["content of a file"]), "f");
  const val = { said: "kept" };
  const feedback = { project_id, weave_ref: `weave:///${project_id}/call/one`, payload: { score: 9 } };
  const digests = [
    await said("/obj/create", asJson({ obj: { project_id, object_id: "o", val } })),
    await said("/table/create", asJson({ table: { project_id, rows: [val] } })),
    await said("/file/create", { method: "POST", body: form }),
  ] as const;
  await said("/feedback/create", asJson({ ...feedback, feedback_type: "note" }));
  return digests;
}

/** The server's answers about each of them, and about calls. */
async function readEach({ url }: AssayServer, [object, table, file]: readonly [string, string, string]) {
  const project_id = "acme/demo";
  const asked: readonly (readonly [string, object])[] = [
    ["/obj/read", { object_id: "o", digest: object }],
    ["/table/query", { digest: table }],
    ["/file/content", { digest: file }],
    ["/feedback/query", {}],
    ["/calls/stream_query", {}],
  ];
  return Promise.all(
    asked.map(async ([path, body]) => {
      const answer = await fetch(`${url}${path}`, asJson({ project_id, ...body }));
      return [answer.status, await answer.text()] as const;
    }),
  );
}

const journalSizes = (): ReadonlyMap<string, number> =>
  new Map(
    readdirSync(data)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => [name, statSync(file(name)).size]),
  );

describe("a directory whose database is", () => {
  test("missing: every call and row is restored, and no journal is shorter", async () => {
    const before = await listed();
    const exported = await assay("export", "acme/demo");
    const journals = ["calls.jsonl", "rows.jsonl"].map((name) => readFileSync(file(name), "utf8"));
    rmSync(file("assay.duckdb"));
    rmSync(file("segments"), { recursive: true, force: true });
    const seen = await assay("evaluations", "acme/demo");
    expect(seen).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("assay.duckdb was missing") });
    expect(JSON.parse(seen.stdout)).toEqual(before);
    expect(["calls.jsonl", "rows.jsonl"].map((name) => readFileSync(file(name), "utf8"))).toEqual(journals);
    expect(await assay("export", "acme/demo")).toEqual(exported);
    expect(await assay("doctor")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("no damage found"),
    });
  });

  test.each([[["assay.duckdb"]], [["assay.duckdb", "assay.duckdb.wal"]], [["assay.duckdb.wal"]]])(
    "without %j, after a kill: objects, files, tables and feedback are restored too",
    async (names) => {
      const server = await builtServer([], { data });
      const created = await logEach(server);
      const before = await readEach(server, created);
      const texts = ["kept", "kept", "content of a file", '"score":9', '"id":"one"'];
      expect(before).toEqual(texts.map((text) => [200, expect.stringContaining(text)]));
      await server.stop("SIGKILL");
      const sizes = journalSizes();
      for (const name of names) rmSync(file(name), { force: true });
      expect(await readEach(await builtServer([], { data }), created)).toEqual(before);
      for (const [name, size] of journalSizes())
        expect([name, size]).toEqual([name, Math.max(size, sizes.get(name) ?? 0)]);
    },
  );

  test("missing with the redo log: refused with a remedy, and nothing is truncated", async () => {
    const sizes = ["calls.jsonl", "rows.jsonl"].map((name) => statSync(file(name)).size);
    rmSync(file("assay.duckdb"));
    rmSync(file("redo.log"));
    expect(await assay("evaluations", "acme/demo")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^assay: .*neither assay\.duckdb nor redo\.log.*import calls\.jsonl.*\n$/,
      ),
    });
    expect(["calls.jsonl", "rows.jsonl"].map((name) => statSync(file(name)).size)).toEqual(sizes);
  });

  test("damaged: the message has the reason and the path, does not claim that it is open elsewhere, and it is rebuilt", async () => {
    const before = await listed();
    const bytes = readFileSync(file("assay.duckdb"));
    bytes[5000]! ^= 1;
    writeFileSync(file("assay.duckdb"), bytes);
    const { exitCode, stdout, stderr } = await assay("evaluations", "acme/demo");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual(before);
    expect(stderr).toContain(file("assay.duckdb"));
    expect(stderr).toMatch(/cannot be opened \(.*checksum.*in block.*\): it is rebuilt from redo\.log/);
    expect(stderr).not.toContain("another process");
    expect(await assay("doctor")).toMatchObject({ exitCode: 0 });
    expect(await listed()).toEqual(before);
  });
});

test("a truncated journal is refused, then repaired; losses are counted and change the exit code", async () => {
  truncateSync(file("calls.jsonl"), statSync(file("calls.jsonl")).size - 10);
  const refused = await assay("evaluations", "acme/demo");
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("assay doctor") });
  const repaired = await assay("doctor");
  expect(repaired).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/1 records of calls after it are lost/),
  });
  expect(await listed()).toMatchObject([{ id: "one", rows: 2 }]);
});

test.skipIf(process.platform === "win32")("a directory that others could read becomes private", async () => {
  chmodSync(data, 0o755);
  for (const name of readdirSync(data)) chmodSync(file(name), 0o755);
  await listed();
  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true })) {
    const { mode } = statSync(join(entry.parentPath, entry.name));
    expect([entry.name, mode & 0o077]).toEqual([entry.name, 0]);
  }
  expect(statSync(data).mode & 0o777).toBe(0o700);
});
