// The server's log: a line for each request on demand, errors always, and never a secret.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { raw } from "@assay/testing/raw-request";
import { type AssayServer, builtServer } from "@assay/testing/server";
import { expect, test } from "vitest";
import { allRoutes } from "./all-routes.ts";

/** The JSON lines that a server has written to stderr. */
const linesOf = (server: AssayServer) =>
  server
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("every route's answer has the request's id, and --log writes it on one line without secrets", {
  tags: ["long"],
}, async () => {
  const server = await builtServer(["--log"], { env: { ASSAY_API_KEY: "K3Y-OF-OWNER" } });
  const routes = [
    ...(await allRoutes()),
    { method: "GET", path: "/no/such/route" },
    { method: "PUT", path: "/v1/models" },
    { method: "POST", path: "/runs/S3CRET-OF-RUN" },
    { method: "POST", path: "/elsewhere/runs/S3CRET-OF-RUN" },
    { method: "DELETE", path: "/v1/keys/assay_S3CRET-OF-KEY" },
    { method: "DELETE", path: "/v1/keys/%61SSAY%5fS3CRET-OF-KEY" },
    { method: "GET", path: "/v1/models/K3Y-OF-OWNER" },
    { method: "POST", path: "/v2/acme/S3CRET8f3Ax0Kq27bP1dLz/calls/import" },
    { method: "GET", path: "/S3CRET/no/such/route" },
    { method: "GET", path: "/v1/models?after=S3CRET-OF-QUERY" },
  ];
  expect(routes.length).toBeGreaterThan(50);
  const asked = routes.flatMap(({ method, path }, i) =>
    ["K3Y-OF-OWNER", "S3CRET-WRONG-KEY"].map(async (key) => {
      const id = `${i}.${key === "K3Y-OF-OWNER" ? "owner" : "stranger"}`;
      const headers = {
        "X-Request-Id": id,
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
      };
      const body = method === "GET" ? {} : { body: '{"name":"S3CRET-OF-BODY"}' };
      const answer = await raw(server, path, { method, headers, ...body });
      expect([path, answer.headers["x-request-id"]]).toEqual([path, id]);
      return { id, method, status: answer.status };
    }),
  );
  const answers = await Promise.all(asked);
  const logged = new Map(linesOf(server).map((line) => [line["id"], line]));
  for (const answer of answers) expect(logged.get(answer.id)).toMatchObject({ ...answer, level: "info" });
  expect(linesOf(server).filter(({ msg }) => msg === "answered")).toHaveLength(answers.length);
  expect(server.output()).not.toMatch(/S3CRET|K3Y/);
  const lineOf = (path: string) => logged.get(`${routes.findIndex((route) => route.path === path)}.owner`);
  expect(lineOf("/runs/S3CRET-OF-RUN")).toMatchObject({ route: "/runs/*", ids: {}, ms: expect.any(Number) });
  expect(lineOf("/v2/acme/S3CRET8f3Ax0Kq27bP1dLz/calls/import")).toMatchObject({
    route: "/v2/:entity/:project/calls/import",
    ids: { entity: "acme", project: "…" },
  });
  expect(Object.keys(lineOf("/no/such/route")!)).not.toContain("route");
});

test("an X-Request-Id that may be a key is neither returned nor logged", async () => {
  const server = await builtServer(["--log"], { env: { ASSAY_API_KEY: "K3Y-OF-OWNER" } });
  const body = JSON.stringify({ name: "me", scopes: ["*"] });
  const headers = { Authorization: "Bearer K3Y-OF-OWNER", "Content-Type": "application/json" };
  const { key } = JSON.parse((await raw(server, "/v1/keys", { method: "POST", headers, body })).body);
  const idOf = async (id: string) =>
    (await raw(server, "/v1/health", { headers: { "X-Request-Id": id } })).headers["x-request-id"];
  for (const id of [key, `a:${key}`, "K3Y-OF-OWNER", "sk-proj-9aB3xK7qLm2Zt5Rw8Vn4", "0123abcd".repeat(5)])
    expect(await idOf(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  // Ids in the formats of other services are kept.
  for (const id of ["edge:7f.1-a_b", "0123456789abcdef".repeat(2), "7d8dd3f2-3c6e-4b1c-9d52-6f2a1a9c1a77"])
    expect(await idOf(id)).toBe(id);
  expect(server.output()).not.toContain(key.slice("assay_".length + 8));
});

test("a stream has the id too, a new one if the client sends no valid one", async () => {
  const server = await builtServer(["--log"]);
  const body = JSON.stringify({
    model: "assay/tiny",
    messages: [{ role: "user", content: "hi" }],
    max_tokens: 3,
    stream: true,
  });
  const headers = { "Content-Type": "application/json", "X-Request-Id": "two words" };
  const answer = await raw(server, "/v1/chat/completions", { method: "POST", headers, body });
  expect(answer.body).toContain("[DONE]");
  const id = answer.headers["x-request-id"];
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(linesOf(server)).toContainEqual(
    expect.objectContaining({ id, method: "POST", route: "/v1/chat/completions", status: 200 }),
  );
});

test.each([[[]], [["--log"]]])("with %j an error is logged with the id of its request", async (args) => {
  const server = await builtServer(args);
  // Makes storing files impossible.
  rmSync(join(server.data, "artifacts"), { recursive: true, force: true });
  writeFileSync(join(server.data, "artifacts"), "");
  const answer = await raw(server, "/v1/preview/training-data", {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson", "X-Request-Id": "r-1" },
    body: '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}\n',
  });
  expect(answer.status).toBeGreaterThanOrEqual(500);
  expect(answer.headers["x-request-id"]).toBe("r-1");
  if (args.length === 0) expect(server.output()).toMatch(/^assay: .+ \(request r-1\)$/m);
  else expect(linesOf(server)).toContainEqual(expect.objectContaining({ level: "error", id: "r-1" }));
});

test("without --log a request is not logged", async () => {
  const server = await builtServer();
  const before = server.output();
  expect((await raw(server, "/v1/models")).status).toBe(200);
  expect(server.output()).toBe(before);
});
