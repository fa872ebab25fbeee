// Key verbs, rate limits, prices and the configuration file of the built command, in a process of its own.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assay } from "@assay/testing/command";
import { raw } from "@assay/testing/raw-request";
import { type AssayServer, builtServer } from "@assay/testing/server";
import OpenAI from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { allRoutes, type SomeRoute } from "./all-routes.ts";
import { folder } from "./run-in-process.ts";

const OWNER = "o".repeat(32);
const messages = [{ role: "user" as const, content: "hi" }];
const settings = {
  streams: 3,
  public_url: "https://assay.example",
  prices: { "assay/tiny": { input: 0.15, output: "0.6", cached_input: 0.075 } },
  limits: {
    key: { requests_per_minute: 6000, tokens_per_minute: 1_000_000 },
    projects: { "t/slow": { requests_per_minute: 2 }, "t/none": { concurrent: 0 } },
  },
};

type RateLimitError = InstanceType<typeof OpenAI.RateLimitError>;

let server: AssayServer;
let config: string;

beforeAll(async () => {
  // Registered by hand, because the directory must outlive the first test.
  const home = mkdtempSync(join(tmpdir(), "assay-limits-"));
  endings.push(async () => rmSync(home, { recursive: true, force: true }));
  config = join(home, "assay.yaml");
  writeFileSync(config, JSON.stringify({ data: "data", ...settings }));
  server = await builtServer(["--config", config], {
    data: join(home, "data"),
    env: { ASSAY_API_KEY: OWNER },
    keep: (stop) => void endings.unshift(stop),
  });
  return async () => {
    for (const end of endings) await end();
  };
});
const endings: (() => Promise<void>)[] = [];

const client = (project: string, apiKey = OWNER) =>
  new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0, project });
const ask = { model: "assay/tiny", messages, max_tokens: 2 };

async function keyThat(can: readonly string[] | undefined): Promise<string> {
  const made = await raw(server, "/v1/keys", {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${OWNER}` },
    body: JSON.stringify({ name: "k", scopes: ["*"], ...(can !== undefined && { can }) }),
  });
  return (JSON.parse(made.body) as { readonly key: string }).key;
}

describe("rates", () => {
  test("an answer has the remaining rate, and a client over the rate is told when to retry", async () => {
    const { response } = await client("t/slow").chat.completions.create(ask).withResponse();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "x-ratelimit-limit-requests": "2",
      "x-ratelimit-remaining-requests": "1",
      "x-ratelimit-limit-tokens": "1000000",
    });
    expect(response.headers.get("x-ratelimit-reset-requests")).toMatch(/^[\d.]+s$/);
    await client("t/slow").chat.completions.create(ask);
    const refused = await client("t/slow")
      .chat.completions.create(ask)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OpenAI.RateLimitError);
    expect(refused).toMatchObject({
      code: "rate_limit_exceeded",
      message: "429 Rate limit reached for project t/slow: 2 requests a minute",
    });
    expect(Number((refused as RateLimitError).headers.get("retry-after"))).toBeGreaterThan(0);
    expect((refused as RateLimitError).headers.get("x-ratelimit-remaining-requests")).toBe("0");
    // Another project of the same key is not limited.
    await client("t/other").chat.completions.create(ask);
    await expect(client("t/none").chat.completions.create(ask)).rejects.toThrow("0 at once");
  });

  test("streams carry the headers too", async () => {
    const answer = await client("t/stream")
      .chat.completions.create({ ...ask, stream: true })
      .withResponse();
    expect(answer.response.headers.get("x-ratelimit-limit-requests")).toBe("6000");
    for await (const _ of answer.data);
  });
});

test("usage includes its exact cost, over HTTP and in the command", async () => {
  const { usage } = await client("t/cost").chat.completions.create(ask);
  const [input, output] = [usage?.prompt_tokens ?? 0, usage?.completion_tokens ?? 0];
  // In picodollars (10⁻¹² dollars), as integers.
  const cost = input * 150_000 + output * 600_000;
  const Authorization = `Bearer ${OWNER}`;
  const answer = await raw(server, "/v1/usage?entity=t&project=cost", { headers: { Authorization } });
  const [row] = (JSON.parse(answer.body) as { readonly data: readonly { readonly cost_usd: string }[] }).data;
  expect(row).toMatchObject({ prompt_tokens: input, unpriced_requests: 0 });
  expect(row?.cost_usd).toMatch(/^0\.0{4,}[1-9]\d*$/);
  expect(BigInt(row?.cost_usd.slice(2).padEnd(12, "0") ?? "")).toBe(BigInt(cost));
  const told = await assay(["usage", "t/cost", "--data", server.data, "--api-key", OWNER]);
  expect(JSON.parse(told.stdout)).toMatchObject([{ model: "assay/tiny", cost_usd: row?.cost_usd }]);
});

describe("a key with some of the verbs", () => {
  test("is refused on every route that needs another verb, and allowed where it has the verb", async () => {
    const routes = [...(await allRoutes()), ...(await describedRoutes())];
    const headers = (key: string) => ({ "Content-Type": "application/json", Authorization: `Bearer ${key}` });
    const refusedWith = async (can: readonly string[]): Promise<ReadonlySet<string>> => {
      const key = await keyThat(can);
      const refused = new Set<string>();
      for (const { method, path } of routes) {
        const body = method === "GET" ? {} : { body: "{}" };
        const answer = await raw(server, path, { method, headers: headers(key), ...body });
        if (answer.status === 403 && /this key may/.test(answer.body)) refused.add(`${method} ${path}`);
      }
      return refused;
    };
    const [read, write, train, chat] = [
      await refusedWith(["read"]),
      await refusedWith(["write"]),
      await refusedWith(["train"]),
      await refusedWith(["chat"]),
    ];
    const chats = [
      "POST /v1/chat/completions",
      "POST /v1/responses",
      "POST /v1/completions",
      "POST /v1/embeddings",
    ];
    const reads = [
      "POST /calls/stream_query",
      "POST /v2/x/x/eval_results/query",
      "GET /v1/usage",
      "POST /call/read",
    ];
    const trains = ["POST /v1/preview/training-jobs", "DELETE /v1/preview/models/x", "DELETE /v1/models/x"];
    const writes = [
      "POST /call/start",
      "POST /otel/v1/traces",
      "POST /v2/x/x/calls/import",
      "POST /obj/create",
    ];
    const keys = ["POST /v1/keys", "GET /v1/keys", "DELETE /v1/keys/x"];
    const hasNone = (refused: ReadonlySet<string>, among: readonly string[]) =>
      among.filter((route) => refused.has(route));
    expect(hasNone(read, [...chats, ...reads, ...trains, ...writes])).toEqual([
      ...chats,
      ...trains,
      ...writes,
    ]);
    expect(hasNone(write, [...chats, ...reads, ...trains, ...writes])).toEqual([
      ...chats,
      ...reads,
      ...trains,
    ]);
    expect(hasNone(train, [...chats, ...reads, ...trains, ...writes])).toEqual([
      ...chats,
      ...reads,
      ...writes,
    ]);
    expect(hasNone(chat, [...chats, ...reads, ...trains, ...writes])).toEqual([
      ...reads,
      ...trains,
      ...writes,
    ]);
    expect(hasNone(chat, ["GET /v1/models", "GET /v1/models/x"])).toEqual([]);
    for (const refused of [read, write, train, chat]) expect(hasNone(refused, keys)).toEqual(keys);
    // Some key must be refused on every route that is not public.
    const open = routes
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => ![read, write, train, chat].some((refused) => refused.has(route)));
    expect([...new Set(open)].sort()).toEqual(OPEN);
  });

  test("gets the missing verb in each client's format, and mutations need write", async () => {
    const key = await keyThat(["read"]);
    await expect(client("t/x", key).chat.completions.create(ask)).rejects.toMatchObject({
      status: 403,
      code: "forbidden",
      message:
        "403 this key may read, but the request needs chat: create a key with assay keys create --can read,chat",
    });
    const graphql = (query: string) =>
      raw(server, "/graphql", {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
        body: JSON.stringify({ query }),
      });
    const mutation = await graphql(
      'mutation { upsertBucket(input: {name: "r", modelName: "p"}) { inserted } }',
    );
    expect(mutation.body).toContain("this key may not write");
    expect((await graphql("query { viewer { username } }")).body).not.toContain("may not");
  });

  test("is created by a command that lists the verbs", async () => {
    const data = folder();
    const made = await assay(["keys", "create", "--name", "all", "--scope", "*", "--data", data]);
    expect(made.exitCode).toBe(0);
    const narrow = ["keys", "create", "--name", "n", "--scope", "a/b", "--can"];
    const second = await assay([...narrow, "read,chat", "--data", data]);
    expect(second.stderr).toContain("for a/b, to read and chat;");
    const listed = await assay(["keys", "list", "--data", data]);
    expect(JSON.parse(listed.stdout)).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ name: "n", can: ["read", "chat"] })]),
    );
    const wrong = await assay([...narrow, "read,fly", "--data", data]);
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("read,write,train,chat")]);
  });
});

describe("settings", () => {
  test("come from options, the environment, the file and defaults, in this order", async () => {
    const told = await assay(["config", "--config", config, "--host", "::1"], {
      env: {
        ASSAY_PORT: "81",
        ASSAY_API_KEY: OWNER,
      },
    });
    expect(told.stdout).not.toContain(OWNER);
    expect(JSON.parse(told.stdout)).toMatchObject({
      file: config,
      settings: {
        host: { value: "::1", from: "option" },
        port: { value: "81", from: "environment (ASSAY_PORT)" },
        data: { value: join(config, "..", "data"), from: config },
        streams: { value: "3", from: config },
        log: { value: null, from: "default" },
        "public-url": { value: "https://assay.example", from: config },
        "api-key": { value: "set", from: "environment (ASSAY_API_KEY)" },
      },
      prices: settings.prices,
      limits: settings.limits,
    });
  });

  test("are refused by name if unknown, all at once", async () => {
    const wrong = join(folder(), "wrong.yaml");
    writeFileSync(wrong, "prot: 1\nlimits:\n  key: { requests: 3 }\n");
    const ended = await assay(["config"], { env: { ASSAY_CONFIG: wrong } });
    expect(ended).toMatchObject({ exitCode: 2, stdout: "" });
    expect(ended.stderr).toMatch(/prot.*limits\.key\.requests|limits\.key\.requests.*prot/);
    writeFileSync(wrong, "prices:\n  m: { input: cheap }\n");
    const priced = await assay(["serve", "--config", wrong, "--data", folder()]);
    expect(priced).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("prices.m.input: must be US dollars"),
    });
  });
});

test("file addresses start with the server's public URL", async () => {
  const graphql = async (query: string) => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${OWNER}` };
    const answer = await raw(server, "/graphql", {
      method: "POST",
      headers,
      body: JSON.stringify({ query }),
    });
    return answer.body;
  };
  const place = 'entityName: "t"';
  await graphql(`mutation { upsertBucket(input: {${place}, name: "r", modelName: "p"}) { inserted } }`);
  const made = await graphql(
    `mutation { createRunFiles(input: {${place}, projectName: "p", runName: "r", files: ["a.txt"]}) { files { uploadUrl } } }`,
  );
  expect(made).toContain('"uploadUrl":"https://assay.example/wandb/upload/');
  const wrong = await assay(["serve", "--public-url", "assay.example/x", "--data", folder()]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("--public-url takes one like")]);
});

/** The routes of the OpenAPI document, with `x` for each path parameter. */
async function describedRoutes(): Promise<readonly SomeRoute[]> {
  const { paths } = JSON.parse((await raw(server, "/openapi.json")).body) as {
    readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } };
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== "parameters")
      .map((method) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{[^}]*\}/g, "x") })),
  );
}

/** Routes that need no key, or identify the caller by a secret in their path. */
const OPEN: readonly string[] = [
  "GET /",
  "GET /assets/x",
  "GET /docs",
  "GET /docs.css",
  "GET /health",
  "GET /llms.txt",
  "GET /openapi.json",
  "GET /server_info",
  "GET /traces/health",
  "GET /traces/server_info",
  "GET /v1/health",
  "GET /v1/health/ready",
  "GET /v1/server-proof",
  "GET /v1/session",
  "GET /v1/system-check",
  "POST /runs/x",
];
