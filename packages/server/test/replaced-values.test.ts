// Requests with free-form parts, in which every value is replaced in turn by an object whose members are named like the
// methods that JavaScript calls on values. The answer is never a fault of the server.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loopbackAuthentication } from "@assay/adapters-http";
import type { Json } from "@assay/base";
import { withShadowedMethods } from "@assay/testing/replaced-values";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openServer, type Server } from "../src/index.ts";

const schema: Json = {
  type: ["object"],
  properties: { a: { type: "string", enum: ["x"] }, b: { $ref: "#/$defs/n" }, c: { items: { const: 1 } } },
  required: ["a"],
  additionalProperties: false,
  $defs: { n: { type: "integer", minimum: 0 } },
};
const attribute = (key: string, value: Json): Json => ({ key, value });
const span = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const evaluation: Json = [
  attribute("gen_ai.evaluation.name", { stringValue: "correct" }),
  attribute("gen_ai.evaluation.score.value", { doubleValue: 0.5 }),
];

const BODIES: readonly (readonly [path: string, body: Json])[] = [
  [
    "/v1/chat/completions",
    {
      ...{ model: "assay/tiny", max_tokens: 1, max_completion_tokens: 1, logprobs: false, top_logprobs: 0 },
      ...{ n: 1, stop: ["x"], logit_bias: { "1": 0 }, stream_options: { include_usage: true }, metadata: {} },
      tools: [{ type: "function", function: { name: "f", parameters: schema } }],
      tool_choice: { type: "function", function: { name: "f" } },
      messages: [
        { role: "user", content: [{ type: "text", text: "x" }] },
        {
          role: "assistant",
          tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c", content: "1" },
      ],
    },
  ],
  [
    "/v1/chat/completions",
    {
      ...{ model: "assay/tiny", max_tokens: 1, messages: [{ role: "user", content: "x" }] },
      response_format: { type: "json_schema", json_schema: { name: "n", strict: true, schema } },
    },
  ],
  [
    "/v1/completions",
    { model: "assay/tiny", prompt: ["x"], max_tokens: 1, n: 1, best_of: 1, echo: true, logprobs: 1 },
  ],
  ["/v1/embeddings", { model: "assay/tiny", input: ["x"], dimensions: 1, encoding_format: "float" }],
  [
    "/v1/responses",
    {
      ...{ model: "assay/tiny", instructions: "x", max_output_tokens: 1, store: true, metadata: { a: "b" } },
      ...{ include: ["x"], reasoning: { effort: "low" }, previous_response_id: "resp_1" },
      text: { format: { type: "json_schema", name: "n", schema } },
      tools: [{ type: "function", name: "f", parameters: schema }],
      tool_choice: { type: "function", name: "f" },
      input: [
        { role: "user", content: [{ type: "input_text", text: "x" }] },
        { type: "function_call", id: "fc_1", call_id: "c", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "x" }] },
        { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "x" }] },
        { type: "item_reference", id: "rs_1" },
      ],
    },
  ],
  [
    "/otel/v1/traces",
    {
      resourceSpans: [
        {
          resource: { attributes: [attribute("a", { intValue: "1" })] },
          scopeSpans: [
            {
              scope: { name: "s" },
              spans: [
                {
                  ...{ ...span, name: "x", kind: 1, startTimeUnixNano: "1", endTimeUnixNano: "2" },
                  status: { code: 2, message: "x" },
                  attributes: [
                    attribute("a", { doubleValue: 1 }),
                    attribute("b", { arrayValue: { values: [{ kvlistValue: { values: [] } }] } }),
                    attribute("gen_ai.usage.input_tokens", { intValue: 1 }),
                  ],
                  events: [{ name: "gen_ai.evaluation.result", timeUnixNano: "1", attributes: evaluation }],
                  links: [{ ...span, attributes: [] }],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
  [
    "/otel/v1/logs",
    {
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                {
                  ...{ ...span, timeUnixNano: "1", eventName: "gen_ai.evaluation.result" },
                  attributes: evaluation,
                },
              ],
            },
          ],
        },
      ],
    },
  ],
  [
    "/graphql",
    {
      query:
        "query Q($e: String!, $p: String!) { project(name: $p, entityName: $e) { runs(first: 1) { edges { node { id } } } } }",
      operationName: "Q",
      variables: { e: "acme", p: "demo" },
    },
  ],
  [
    "/files/acme/demo/run/file_stream",
    {
      files: { "wandb-history.jsonl": { offset: 0, content: ['{"_step":0,"loss":1}'] } },
      ...{ complete: false, exitcode: 0, dropped: 0, uploaded: ["a"] },
    },
  ],
];

const directory = mkdtempSync(join(tmpdir(), "assay-replaced-"));
const errors: unknown[] = [];
let server: Server;
beforeAll(async () => {
  server = await openServer({
    ...{ directory, page: false, authenticate: loopbackAuthentication() },
    onError: (error) => void errors.push(error),
  });
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

test.each(BODIES)("%s answers whatever has members named like methods", async (path, body) => {
  for (const sent of withShadowedMethods(body)) {
    errors.length = 0;
    const text = JSON.stringify(sent);
    const headers = { "content-type": "application/json", project_id: "acme/demo" };
    const answer = await server.handler(
      new Request(`http://127.0.0.1:1${path}`, { method: "POST", headers, body: text }),
    );
    await answer.text();
    expect([answer.status < 500 || answer.status === 501, errors], text).toEqual([true, []]);
  }
});
