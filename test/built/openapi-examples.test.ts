// The examples in the OpenAPI document: the built command gives the documented responses, which conform to their
// schemas. Every operation has an example. ASSAY_UPDATE_DOCUMENTS=1 regenerates them.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineDouble, json } from "@assay/testing/engine-double";
import { startAssay } from "@assay/testing/server";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, onTestFinished, test } from "vitest";
import { type Example, recorder } from "./openapi-recorder.ts";
import { type Question, scenario } from "./openapi-scenario.ts";

interface Content {
  readonly [type: string]: { readonly schema?: object; readonly example?: unknown };
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
interface Place extends Operation {
  readonly method: string;
  readonly path: string;
}

/** Operations whose responses depend on the machine or its speed. */
const VARY = new Set(["system_check", "cancel_training_job", "cancel_fine_tuning_job"]);
/** Operations for browsers, and operations that are always refused. */
const NONE = ["page", "pageAsset", "pause_fine_tuning_job", "resume_fine_tuning_job"];
const UPDATE = process.env["ASSAY_UPDATE_DOCUMENTS"] === "1";
const JSON_TYPE = "application/json";

async function open() {
  const home = mkdtempSync(join(tmpdir(), "assay-examples-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const usage = { prompt_tokens: 4, completion_tokens: 1, total_tokens: 5 };
  const engine = await engineDouble({
    texts: (response, { path }) =>
      path.endsWith("/embeddings")
        ? json(response, 200, {
            ...{ object: "list", model: "texts", usage: { prompt_tokens: 4, total_tokens: 4 } },
            data: [{ object: "embedding", index: 0, embedding: [0.5, -0.5] }],
          })
        : json(response, 200, {
            ...{ id: "cmpl-1", object: "text_completion", created: 1, model: "texts", usage },
            choices: [{ index: 0, text: " 4", logprobs: null, finish_reason: "length" }],
          }),
  });
  onTestFinished(() => engine.close());
  const models = { "org/texts": { name: "texts", serves: ["chat", "completions", "embeddings"] } };
  const file = join(home, "engines.yaml");
  writeFileSync(file, JSON.stringify({ upstreams: [{ name: "double", url: engine.url, models }] }));
  const server = await startAssay(join(home, "data"), { args: ["--upstreams", file] });
  onTestFinished(() => server.stop("SIGTERM"));
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const operations = new Map<string, Place>();
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item))
      operations.set(operation.operationId, { ...operation, method, path });
  return { url: server.url, document, operations };
}

/** The request for an operation, at its address. */
function requestOf(url: string, { method, path }: Place, { parameters = {}, body, type, headers }: Question) {
  const all: Readonly<Record<string, string | number>> = { entity: "acme", project: "demo", ...parameters };
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
  const at = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    // A signed address spans several path segments.
    name === "address" ? String(all[name]) : encodeURIComponent(all[name]!),
  );
  const search = Object.entries(parameters).filter(([name]) => !inPath.has(name));
  const address = new URL(at, url);
  for (const [name, value] of search) address.searchParams.set(name, String(value));
  const plain = body === undefined || body instanceof FormData || typeof body === "string";
  return new Request(address, {
    method: method.toUpperCase(),
    headers: {
      ...(body !== undefined && !(body instanceof FormData) && { "content-type": type ?? JSON_TYPE }),
      ...headers,
    },
    ...(body !== undefined && { body: plain ? body : JSON.stringify(body) }),
  });
}

async function firstOf(answer: Response): Promise<string> {
  const reader = answer.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

/** The body of a response, and its media type. */
async function readAnswer(
  answer: Response,
  first: boolean,
): Promise<{ readonly type: string; readonly content: unknown }> {
  const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
  const text = first ? await firstOf(answer) : await answer.text();
  return { type, content: type === JSON_TYPE ? JSON.parse(text) : text };
}

test("every operation has an example that matches a real request and response", {
  timeout: 120_000,
}, async () => {
  const { url, document, operations } = await open();
  const steady = recorder();
  const examples = new Map<string, Example>();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "https://assay.test/", ...document });
  const conforms = (schema: object | undefined, value: unknown) => {
    if (schema === undefined) return "conforms";
    const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://assay.test/#/')) as object;
    const validate = ajv.compile(whole);
    return validate(value) ? "conforms" : ajv.errorsText(validate.errors);
  };

  await scenario(async (id, question = {}) => {
    const operation = operations.get(id);
    if (operation === undefined) throw new Error(`unknown operation ${id}`);
    const answer = await fetch(requestOf(url, operation, question));
    if (!answer.ok) throw new Error(`${id}: ${answer.status} ${await answer.text()}`);
    const { type, content } = await readAnswer(answer, question.first === true);
    const [ask, tell] = [
      operation.requestBody?.content[JSON_TYPE],
      operation.responses["200"]?.content?.[type],
    ];
    if (ask !== undefined && question.type === undefined)
      expect([id, conforms(ask.schema, question.body)]).toEqual([id, "conforms"]);
    if (type === JSON_TYPE) expect([id, conforms(tell?.schema, content)]).toEqual([id, "conforms"]);
    if (examples.has(id) || question.waits === true) return content;
    const { parameters, body } = question;
    const shown =
      type === JSON_TYPE || /^text\/(?:csv|event-stream)$|^application\/(?:x-ndjson|jsonl)$/.test(type);
    examples.set(
      id,
      steady({
        ...(parameters !== undefined && { parameters }),
        ...(body !== undefined && !(body instanceof FormData) && { body }),
        ...(shown && content !== "" && { answer: content, type }),
      }) as Example,
    );
    return content;
  });

  const without = [...operations.keys()].filter((id) => !examples.has(id) && !NONE.includes(id));
  expect(without).toEqual([]);
  if (UPDATE) return write(examples);
  for (const [id, { parameters = {}, body, answer, type }] of examples) {
    const { parameters: described = [], requestBody, responses } = operations.get(id)!;
    const given = Object.fromEntries(described.map(({ name, example }) => [name, example]));
    expect([id, given]).toEqual([id, expect.objectContaining(parameters)]);
    const [[, asked] = []] = Object.entries(requestBody?.content ?? {}).filter(([, one]) => "example" in one);
    expect([id, asked?.example]).toEqual([id, body]);
    if (type === undefined || VARY.has(id)) continue;
    expect([id, responses["200"]?.content?.[type]?.example]).toEqual([id, answer]);
  }
});

function write(examples: ReadonlyMap<string, Example>): void {
  const all = JSON.stringify(Object.fromEntries(examples), null, 2);
  writeFileSync(
    new URL("../../packages/adapters-http/src/examples/examples.ts", import.meta.url),
    `// Requests and answers of the examples in the OpenAPI document, written by the test that sends them.\n\nimport type { Example } from "./example.ts";\n\n/** Examples by \`operationId\`. */\nexport const EXAMPLES: { readonly [operationId: string]: Example } = ${all};\n`,
  );
}
