// Access control of the built server on every route: requests from web pages, under other host names, through proxies
// and with wrong keys.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { some } from "@assay/testing/cases";
import { assay } from "@assay/testing/command";
import { type RawAnswer, type RawRequest, raw } from "@assay/testing/raw-request";
import { type AssayServer, builtServer } from "@assay/testing/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allRoutes, type SomeRoute } from "./all-routes.ts";

let open: AssayServer;
let keyed: AssayServer;
let routes: readonly SomeRoute[];
const endings: (() => unknown)[] = [];

/** A server that all tests of this file share. */
async function shared(args: readonly string[], env: Record<string, string> = {}): Promise<AssayServer> {
  const data = mkdtempSync(join(tmpdir(), "assay-doors-"));
  endings.push(() => rmSync(data, { recursive: true, force: true }));
  return builtServer(args, { data, env, keep: (stop) => endings.unshift(stop) });
}

beforeAll(async () => {
  [open, keyed] = [await shared([]), await shared(["--cors", "https://app.example"], { ASSAY_API_KEY: "K" })];
});
afterAll(async () => {
  for (const end of endings) await end();
});

/** Whether a browser sends a body to the route from another site without a preflight request. */
function formsSend(route: string): boolean {
  return !/^(GET|PUT) /.test(route);
}

/** The answers of every route to a request. */
async function onEveryRoute(
  server: AssayServer,
  of: (route: SomeRoute) => RawRequest & { readonly query?: string },
): Promise<readonly (RawAnswer & { readonly route: string })[]> {
  routes ??= await allRoutes();
  expect(routes.length).toBeGreaterThan(50);
  const asked = routes.map(async (route) => {
    const { query = "", ...request } = of(route);
    const answer = await raw(server, route.path + query, { method: route.method, ...request });
    return { ...answer, route: `${route.method} ${route.path}` };
  });
  return Promise.all(asked);
}

/** The routes whose status differs from `status`, with their answers. */
const otherThan = (status: number, answers: Awaited<ReturnType<typeof onEveryRoute>>) =>
  answers
    .filter((answer) => answer.status !== status)
    .map((answer) => [answer.route, answer.status, answer.body]);

const JSON_TYPE = { "Content-Type": "application/json" };

describe("on every route", () => {
  const origins = [
    ["from another site", { Origin: "https://evil.example" }],
    ["with an opaque origin", { Origin: "null" }],
    ["from another port of this machine", { Origin: "http://localhost:1" }],
  ] as const;
  test.each(some(origins))("a page %s is refused, with a key and without", async (_, headers) => {
    const request = { headers: { ...JSON_TYPE, ...headers, Authorization: "Bearer K" } };
    const answers = [
      ...(await onEveryRoute(open, () => request)),
      ...(await onEveryRoute(keyed, () => request)),
    ];
    expect(otherThan(403, answers)).toEqual([]);
    expect(answers.filter(({ headers }) => "access-control-allow-origin" in headers)).toEqual([]);
    expect(answers[0]?.body).toContain("--cors");
  });

  test.each(some(["text/plain", "", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded"], 2))(
    "a body of type %j, as any form can send it, is refused",
    async (type) => {
      const headers: Record<string, string> = type === "" ? {} : { "Content-Type": type };
      const answers = await onEveryRoute(open, () => ({ headers, body: "{}" }));
      const writing = answers.filter(({ route }) => formsSend(route));
      expect(writing.length).toBeGreaterThan(30);
      expect(otherThan(415, writing)).toEqual([]);
    },
  );

  test("a method that a route does not have is a 405, whatever the body", async () => {
    for (const type of ["multipart/form-data; boundary=b", "text/plain"]) {
      for (const path of ["/file/create", "/v1/files"]) {
        const headers = { "Content-Type": type };
        const { status, headers: answered } = await raw(open, path, { method: "PATCH", headers, body: "x" });
        expect([type, status, answered.allow]).toEqual([type, 405, expect.stringContaining("POST")]);
      }
    }
  });

  test("multipart is only accepted by routes whose clients send it", async () => {
    const headers = { "Content-Type": "multipart/form-data; boundary=b" };
    const answers = await onEveryRoute(open, () => ({ headers, body: "--b--" }));
    const taken = answers.filter(({ route, status }) => formsSend(route) && status !== 415);
    expect(taken.map(({ route, status }) => [route, status])).toEqual([
      ["POST /file/create", 422],
      // openpipe-art uses Weave's routes under this prefix.
      ["POST /traces/file/create", 422],
      ["POST /v1/files", 400],
    ]);
  });

  test.each(some(["evil.example", "127.0.0.1.evil.example", "evil.example:7777", "10.0.0.1", "[::]"], 2))(
    "a keyless server does not answer as %s",
    async (host) => {
      const answers = await onEveryRoute(open, () => ({ headers: { ...JSON_TYPE, Host: host } }));
      expect(otherThan(403, answers)).toEqual([]);
    },
  );

  test("an invalid Host is a 400, and the server keeps running", async () => {
    for (const server of [open, keyed]) {
      for (const host of some(["127.999.1.1", "a b", "[1", "%", "x:99999"])) {
        const answers = await onEveryRoute(server, () => ({ headers: { ...JSON_TYPE, Host: host } }));
        expect(otherThan(400, answers)).toEqual([]);
      }
    }
  });

  const headersOfProxies = [
    "X-Forwarded-For",
    "Forwarded",
    "X-Forwarded-Host",
    "x-forwarded-proto",
    "Via",
    "X-Real-IP",
  ];
  test.each(some(headersOfProxies, 2))(
    "a keyless server tells a proxy that sends %s to create a key",
    async (name) => {
      const answers = await onEveryRoute(open, () => ({
        headers: { ...JSON_TYPE, [name]: "for=203.0.113.9" },
      }));
      expect(otherThan(403, answers)).toEqual([]);
      expect(answers[0]?.body).toContain("create a key (assay keys create");
      const behind = await raw(keyed, "/v1/models", { headers: { [name]: "x", Authorization: "Bearer K" } });
      expect(behind.status).toBe(200);
    },
  );

  test("a query parameter that the route does not have is a 422 that names it", async () => {
    const answers = await onEveryRoute(open, () => ({ headers: JSON_TYPE, query: "?limt=3" }));
    expect(otherThan(422, answers)).toEqual([]);
    const faults = answers.map(({ body }) => JSON.parse(body).detail[0]);
    expect(faults.filter(({ loc }) => JSON.stringify(loc) !== '["query","limt"]')).toEqual([]);
  });

  test("a server with a key reveals nothing without it", async () => {
    const told = new Set([
      "/v1/health",
      "/health",
      "/server_info",
      "/v1/health/ready",
      "/v1/system-check",
      "/openapi.json",
      "/docs",
      "/docs.css",
      "/llms.txt",
      "/v1/server-proof",
    ]);
    for (const headers of [JSON_TYPE, { ...JSON_TYPE, Authorization: "Bearer wrong" }]) {
      const answers = await onEveryRoute(keyed, () => ({ headers, body: "{}" }));
      const secret = answers.filter(({ route }) => !told.has(route.replace(/^\w+ (?:\/traces)?/, "")));
      // A run of a worker is found by the secret in its path, and file addresses are signed.
      expect(otherThan(401, secret).map(([route, status]) => [route, status])).toEqual([
        ["POST /runs/x", 404],
        ["PUT /wandb/upload/x", 403],
        ["GET /wandb/download/x", 403],
      ]);
    }
  });
});

test("requests of programs are answered: with the server's own origin, each loopback name, and JSON without a body", async () => {
  const port = new URL(open.url).port;
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, "127.8.9.1", `[::1]:${port}`, "LOCALHOST"]) {
    const answer = await raw(open, "/v1/models", { headers: { Host: host } });
    expect([host, answer.status]).toEqual([host, 200]);
  }
  const own = await raw(open, "/call/read", {
    method: "POST",
    headers: { ...JSON_TYPE, Origin: open.url },
    body: '{"project_id":"a/b","id":"c"}',
  });
  expect(own.status).toBe(200);
  const cancel = await raw(open, "/v1/preview/training-jobs/x/cancel", { method: "POST" });
  expect(cancel.status).toBe(404);
});

describe("pages of an origin that --cors names", () => {
  const Origin = "https://app.example";

  test("may send preflight requests and a key, and read answers and errors", async () => {
    const preflight = await raw(keyed, "/v1/keys", {
      method: "OPTIONS",
      headers: {
        Origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
      },
    });
    expect([preflight.status, preflight.headers]).toMatchObject([
      204,
      {
        "access-control-allow-origin": Origin,
        "access-control-allow-methods": expect.stringContaining("POST"),
        "access-control-allow-headers": expect.stringMatching(/authorization/i),
      },
    ]);
    expect(preflight.headers).not.toHaveProperty("access-control-allow-credentials");
    for (const [path, Authorization, status] of [
      ["/v1/models", "Bearer K", 200],
      ["/v1/models", "Bearer wrong", 401],
      ["/v1/nothing", "Bearer K", 404],
      ["/v1/models?x=1", "Bearer K", 422],
    ] as const) {
      const answer = await raw(keyed, path, { headers: { Origin, Authorization } });
      expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([status, Origin]);
    }
  });

  test("are allowed only for that origin", async () => {
    const preflight = await raw(keyed, "/v1/keys", {
      method: "OPTIONS",
      headers: { Origin: "https://app.example.evil", "Access-Control-Request-Method": "POST" },
    });
    expect(preflight.headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("are refused if the address is not an origin", async () => {
    const wrong = ["*", "https://app.example/", "app.example", "null"];
    const ended = await Promise.all(
      wrong.map((origin) => assay(["serve", "--data", open.data, "--cors", origin])),
    );
    const refused = { exitCode: 2, stderr: expect.stringContaining("is not an origin") };
    expect(ended).toMatchObject(wrong.map(() => refused));
  });
});

describe.concurrent("a server without a key of its own", () => {
  const models = (server: AssayServer, Authorization?: string) =>
    raw(server, "/v1/models", { headers: Authorization === undefined ? {} : { Authorization } });
  const makeKey = (server: AssayServer, scopes: readonly string[], key?: string) =>
    raw(server, "/v1/keys", {
      method: "POST",
      headers: { ...JSON_TYPE, ...(key !== undefined && { Authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ name: "b", scopes }),
    });
  // Tests that run concurrently cannot use onTestFinished.
  const keep = (stop: () => Promise<void>) => endings.unshift(stop);

  test("requires none until one exists, and checks every key from then on", async () => {
    const server = await shared([]);
    expect(server.output()).toContain("No API key");
    // Clients that must send a key send any: no key exists to check it against.
    expect((await models(server, "Bearer anything-at-all")).status).toBe(200);

    // If the first key were narrow, no key could create another.
    const narrow = await makeKey(server, ["a/b"]);
    expect([narrow.status, narrow.body]).toEqual([
      422,
      expect.stringContaining("the first key must be one for everything"),
    ]);
    expect((await models(server)).status).toBe(200);

    const made = await assay(["keys", "create", "--name", "a", "--scope", "*", "--data", server.data]);
    const key = made.stdout.trim();
    expect(made).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("from now on, a server of this data requires a key"),
    });
    expect((await models(server)).status).toBe(401);
    expect((await models(server, "Bearer anything-at-all")).status).toBe(401);
    expect((await models(server, `Basic ${btoa(`api:${key}`)}`)).status).toBe(200);
    expect((await makeKey(server, ["*"])).status).toBe(401);
    expect((await makeKey(server, ["a/b"], key)).status).toBe(200);
    // With a key the server accepts any host name, and requests through a proxy.
    const headers = {
      Host: "assay.example",
      "X-Forwarded-For": "203.0.113.9",
      Authorization: `Bearer ${key}`,
    };
    expect((await raw(server, "/v1/models", { headers })).status).toBe(200);

    const revoked = await assay(["keys", "revoke", key, "--data", server.data, "--api-key", key]);
    expect(revoked.exitCode).toBe(0);
    expect((await models(server, `Bearer ${key}`)).status).toBe(401);
    expect((await models(server)).status).toBe(401);
  });

  test("requires one from the start if its directory has had a key", async () => {
    const server = await shared([]);
    const { data } = server;
    const made = await makeKey(server, ["*"]);
    const { id, key } = JSON.parse(made.body) as { readonly id: string; readonly key: string };
    const Authorization = `Bearer ${key}`;
    await raw(server, `/v1/keys/${id}`, { method: "DELETE", headers: { Authorization } });
    await server.stop();
    const again = await builtServer([], { data, keep });
    expect(again.output()).toContain("It requires a key from assay keys");
    expect((await models(again)).status).toBe(401);
    expect((await models(again, Authorization)).status).toBe(401);
  });
});
