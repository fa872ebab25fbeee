// While one client reads many calls, others get responses. Uses the built command in a separate process.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { startAssay } from "@assay/testing/server";
import { COMMAND } from "@assay/testing/spawn.mjs";
import { expect, onTestFinished, test } from "vitest";

const CALLS = 20_000;

/** A logged call. All start at the same time, so that they must be sorted by id. */
function lineOf(i: number): string {
  const time = "2026-01-01T00:00:00Z";
  const ids = { id: `call-${i}`, trace_id: "t", parent_id: null, op_name: "op", display_name: null };
  const contents = {
    inputs: { x: (i * 7919) % CALLS, text: "x".repeat(100) },
    output: i,
    attributes: {},
    summary: {},
  };
  return JSON.stringify({ ...ids, ...contents, started_at: time, ended_at: time, exception: null });
}

test("no long read of calls blocks other requests, and the number of tables per read is limited", async () => {
  const directory = mkdtempSync(join(tmpdir(), "assay-reads-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "calls.jsonl");
  writeFileSync(file, Array.from({ length: CALLS }, (_, i) => lineOf(i)).join("\n"));
  const data = join(directory, "data");
  const load = [COMMAND, "import", "acme/demo", file, "--data", data, "--allow-missing"];
  await promisify(execFile)(process.execPath, load);
  const { url, stop } = await startAssay(data);
  onTestFinished(() => stop("SIGKILL"));

  const post = async (path: string, body: object): Promise<string> => {
    const headers = { "Content-Type": "application/json" };
    return (await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).text();
  };
  const read = (path: string, body: object) => post(path, { project_id: "acme/demo", ...body });
  const sort_by = [{ field: "inputs.x", direction: "desc" }];
  const query = { $expr: { $gte: [{ $getField: "inputs.x" }, { $literal: 0 }] } };
  const rows = Array.from({ length: CALLS }, (_, i) => ({ x: (i * 7919) % CALLS }));
  const { digest } = JSON.parse(await post("/table/create", { table: { project_id: "acme/demo", rows } }));
  const refs = rows.slice(0, 1000).map((_, i) => `weave:///acme/demo/table/${digest}/index/${i}/key/x`);
  const descending = [{ field: "x", direction: "desc" }];
  for (const [reading, expected] of [
    [() => read("/calls/query_stats", { query }), `{"count":${CALLS}}`],
    [() => read("/calls/stream_query", { sort_by, limit: 1, columns: ["inputs"] }), `"x":${CALLS - 1}`],
    [() => read("/table/query", { digest, sort_by: descending, limit: 1 }), `"val":{"x":${CALLS - 1}}`],
    [() => post("/refs/read_batch", { refs }), `${rows[998]!.x},${rows[999]!.x}]}`],
  ] as const) {
    const began = performance.now();
    let ended = 0;
    const answer = reading().finally(() => {
      ended = performance.now();
    });
    let longest = 0;
    while (ended === 0) {
      const asked = performance.now();
      await (await fetch(`${url}/health`)).text();
      longest = Math.max(longest, performance.now() - asked);
      await setTimeout(5);
    }
    expect(await answer).toContain(expected);
    // As a share of the read's duration, so that the limit also holds on a busy machine.
    expect(longest / (ended - began)).toBeLessThan(0.4);
  }
  const digests = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);
  expect(await read("/table/query_stats_batch", { digests: digests(1000) })).toBe('{"tables":[]}');
  const refused = JSON.parse(await read("/table/query_stats_batch", { digests: digests(1001) }));
  expect(refused.detail).toMatchObject([{ loc: ["body", "digests"] }]);
});
