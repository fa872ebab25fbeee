// The examples of the OpenAPI document: each body is sent to the built command and answered, each answer is the one that the server
// gives, and all are as their schemas say. With ASSAY_UPDATE_DOCUMENTS=1 the answers are written anew.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationCalls } from "@assay/calls/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, onTestFinished, test } from "vitest";
import { startAssay } from "../weave/assay-process.ts";

interface Content {
  readonly "application/json"?: { readonly schema?: object; readonly example?: unknown };
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** Operations whose answers are the same every time. */
const SAME = [
  ...["evalResultsQuery", "evalResultsCompare", "evalResultsSlices", "evalResultsRanking"],
  ...["evalResultsPage", "evalResultsGroups", "evalResultsFields"],
  ...["listEvaluations", "listProjects", "health", "ready"],
];

test("the examples are asked and answered as they say", async () => {
  const home = mkdtempSync(join(tmpdir(), "assay-examples-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const server = await startAssay(join(home, "data"));
  onTestFinished(() => server.stop("SIGTERM"));
  const ask = (method: string, path: string, body?: string, type = "application/json") =>
    fetch(`${server.url}${path.replace("{entity}", "acme").replace("{project}", "demo")}`, {
      ...{ method, headers: { "Content-Type": type } },
      ...(body !== undefined && { body }),
    });
  const calls = [
    ...evaluationCalls("small", [true, false, true]),
    ...evaluationCalls("large", [true, true, true]),
  ];
  const lines = calls.map((call) => JSON.stringify(call)).join("\n");
  const imported = await ask("POST", "/v2/{entity}/{project}/calls/import", lines, "application/x-ndjson");
  expect(imported.status).toBe(200);
  const document = (await (await ask("GET", "/openapi.json")).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "https://assay.test/", ...document });
  const conforms = (schema: object, value: unknown) => {
    const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://assay.test/#/')) as object;
    const validate = ajv.compile(whole);
    return validate(value) ? "conforms" : ajv.errorsText(validate.errors);
  };

  const answers: Record<string, unknown> = {};
  const asked: string[] = [];
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
  );
  // A key closes the server to those that come after it.
  const last = ({ operationId }: Operation) => (operationId === "create_key" ? 1 : 0);
  operations.sort((a, b) => last(a) - last(b));
  for (const { path, method, operationId, requestBody, responses } of operations) {
    const body = requestBody?.content["application/json"];
    if (body?.example === undefined && !SAME.includes(operationId)) continue;
    asked.push(operationId);
    if (body !== undefined)
      expect([operationId, conforms(body.schema!, body.example)]).toEqual([operationId, "conforms"]);
    const answer = await ask(method.toUpperCase(), path, body && JSON.stringify(body.example));
    expect([operationId, answer.status, answer.status < 300 ? "" : await answer.text()]).toEqual([
      ...[operationId, expect.toSatisfy((status: number) => status < 300), ""],
    ]);
    const said = responses["200"]?.content?.["application/json"];
    const json: unknown = await answer.json();
    if (said?.schema !== undefined)
      expect([operationId, conforms(said.schema, json)]).toEqual([operationId, "conforms"]);
    if (!SAME.includes(operationId)) continue;
    answers[operationId] = json;
    if (process.env["ASSAY_UPDATE_DOCUMENTS"] !== "1")
      expect([operationId, said?.example]).toEqual([operationId, json]);
  }
  expect(asked).toEqual(expect.arrayContaining(SAME));
  expect(asked.length).toBeGreaterThanOrEqual(18);
  if (process.env["ASSAY_UPDATE_DOCUMENTS"] === "1")
    writeFileSync(
      new URL("../../packages/adapters-http/src/examples/answers.ts", import.meta.url),
      `// What is answered in the examples of the OpenAPI document: written by the test that asks.\n\nimport type { Json } from "@assay/base";\n\n/** Answers by \`operationId\`. */\nexport const EXAMPLE_ANSWERS: { readonly [operationId: string]: Json } = ${JSON.stringify(answers, null, 2)};\n`,
    );
});
