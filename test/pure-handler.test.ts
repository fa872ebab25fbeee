// The part of the HTTP handler that runs in a browser's worker: bundled for browsers it needs no Node.js, and returns
// the same bytes.

import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { createHandler, evalResultsRoutes, type Handler, loopbackAuthentication } from "@assay/adapters-http";
import { evaluationCalls } from "@assay/calls/testing";
import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { build } from "esbuild";
import { expect, test } from "vitest";

const calls = [...evaluationCalls("good", [true, true, false]), ...evaluationCalls("bad", [false, true])];

const WORKER = `
  import { createHandler, evalResultsRoutes } from "@assay/adapters-http/pure";
  import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
  globalThis.handlerOf = (calls) => {
    const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows() });
    const authenticate = async () => ({ id: "file", allows: () => true });
    return createHandler({ routes: [evalResultsRoutes({ engine, authenticate })] });
  };`;

/** The globals of a worker: no process, no Buffer, no setImmediate. */
const WEB = {
  ...{ Request, Response, Headers, URL, URLSearchParams, Blob, ReadableStream, DecompressionStream },
  ...{ TextEncoder, TextDecoder, crypto, performance, AbortController, AbortSignal, MessageChannel },
  ...{ setTimeout, clearTimeout, structuredClone },
};

test("bundled for browsers it responds like a server, byte for byte", async () => {
  const { outputFiles } = await build({
    stdin: { contents: WORKER, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    platform: "browser",
    format: "iife",
    conditions: ["@assay/source"],
    logLevel: "silent",
  });
  const context = createContext({ ...WEB });
  runInContext(outputFiles[0]!.text, context);
  const inFile = (context as { handlerOf: (calls: readonly object[]) => Handler }).handlerOf(calls);
  const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows() });
  const served = createHandler({
    routes: [evalResultsRoutes({ engine, authenticate: loopbackAuthentication() })],
  });

  const query = { evaluation_call_ids: ["good", "bad"], include_summary: true };
  const measure = "scores.match.correct";
  const asked: readonly (readonly [string, unknown])[] = [
    ["query", query],
    [
      "query",
      { ...query, filters: [{ query: { $expr: { $eq: [{ $getField: measure }, { $literal: true }] } } }] },
    ],
    ["query", { limit: "1", bogus: 1 }],
    ["query", "{"],
    ["compare", { query, baseline: "bad" }],
    ["page", { query, measure, baseline: "bad", order: "worst_first" }],
    ["page", { query, change: "worse" }],
    ["groups", { query, by: { field: "inputs.question" }, measures: [measure], baseline: "bad" }],
    ["fields", { evaluation_call_ids: ["good"] }],
    ["nothing", {}],
  ];
  for (const [question, body] of asked) {
    const request = () =>
      new Request(`http://localhost/v2/acme/demo/eval_results/${question}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
    const [here, there] = [await served(request()), await inFile(request())];
    expect([question, there.status, await there.text()]).toEqual([question, here.status, await here.text()]);
  }
});
