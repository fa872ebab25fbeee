// The server saves the columns of evaluations without a query, as the same bytes that a query saves.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openServer } from "../src/index.ts";
import { folder } from "./folder.ts";

const TRIALS = 1000;
const CALLS = Array.from({ length: TRIALS }, (_, t) => {
  const times = { started_at: "2026-01-01T00:00:00Z", ended_at: "2026-01-01T00:00:01Z" };
  const output = { output: `answer ${t}`, scores: { correct: t % 3 === 0 } };
  const call = { id: `e-${t}`, parent_id: "e", op_name: "Evaluation.predict_and_score", ...times };
  return { ...call, inputs: { example: { question: t % 700 } }, output };
});
const ROOT = { id: "e", op_name: "Evaluation.evaluate", started_at: "2026-01-01T00:00:00Z" };
const LINES = [ROOT, ...CALLS].map((call) => JSON.stringify(call)).join("\n");

/** A server over a data directory. It saves columns in the background once it listens. */
async function served(directory: string, { listens = true } = {}) {
  const server = await openServer({
    directory,
    page: false,
    bootstrapAccess: true,
    onError: (error) => expect.fail(`${error}`),
  });
  if (listens) server.listening("http://127.0.0.1:1");
  const ask = async (method: string, path: string, body?: string, type = "application/json") => {
    const headers = { "Content-Type": type };
    const asked = new Request(`http://127.0.0.1:1/v2/acme/demo/${path}`, {
      method,
      headers,
      body: body ?? null,
    });
    const answer = await server.handler(asked);
    expect(answer.status, await answer.clone().text()).toBe(200);
    return (await answer.json()) as unknown;
  };
  return {
    import: (lines = LINES) => ask("POST", "calls/import", lines, "application/x-ndjson"),
    query: (id = "e") =>
      ask("POST", "eval_results/query", JSON.stringify({ evaluation_call_ids: [id], include_summary: true })),
    remove: () => ask("DELETE", "eval_results/evaluations/e"),
    close: () => server.close(),
  };
}

function segments(directory: string): readonly string[] {
  try {
    return readdirSync(join(directory, "segments"));
  } catch {
    return [];
  }
}

function saved(directory: string): Buffer {
  const names = segments(directory);
  expect(names).toHaveLength(1);
  expect(names[0]).toMatch(/\.segment$/);
  return readFileSync(join(directory, "segments", names[0]!));
}

test("columns are saved once writes stop, and equal those that the first query saves", {
  tags: ["long"],
}, async () => {
  const [ahead, asked] = [folder(), folder()];
  const a = await served(ahead);
  await a.import();
  await vi.waitFor(() => saved(ahead), { timeout: 10_000, interval: 100 });
  const bytes = saved(ahead);
  const b = await served(asked, { listens: false });
  await b.import();
  expect(await a.query()).toEqual(await b.query());
  expect(bytes.equals(saved(asked))).toBe(true);
  await a.remove();
  expect(segments(ahead)).toEqual([]);
  await a.close();
  await b.close();
});

test("a server that closes leaves complete columns or none", async () => {
  const directory = folder();
  const first = await served(directory);
  await first.import();
  await first.close();
  expect(segments(directory)).toEqual([]);
  const next = await served(directory);
  await vi.waitFor(() => saved(directory), { timeout: 10_000, interval: 100 });
  await next.close();
});

test("a long import is answered once its columns are saved", { tags: ["long"] }, async () => {
  // 18 MB in two evaluations.
  const filler = "x".repeat(9000);
  const lines = ["e", "f"].flatMap((id) => [
    JSON.stringify({ ...ROOT, id }),
    ...CALLS.map((call, t) =>
      JSON.stringify({ ...call, id: `${id}-${t}`, parent_id: id, output: { ...call.output, filler } }),
    ),
  ]);
  const [directory, asked] = [folder(), folder()];
  const server = await served(directory, { listens: false });
  await server.import(lines.join("\n"));
  expect(segments(directory)).toHaveLength(2);

  // Another import changes one of them, and adds evaluations too small to save.
  const change = { ...CALLS[0], id: "f-0", parent_id: "f", output: { scores: { correct: false } } };
  const small = Array.from({ length: 2000 }, (_, i) => ({ id: `small-${i}`, parent_id: null, filler }));
  const more = [change, ...small].map((call) => JSON.stringify(call)).join("\n");
  await server.import(more);
  const other = await served(asked, { listens: false });
  await other.import([...lines, more].join("\n"));
  for (const id of ["e", "f"]) expect(await server.query(id)).toEqual(await other.query(id));
  expect(segments(directory)).toHaveLength(2);
  await server.close();
  await other.close();
});
