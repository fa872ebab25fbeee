import { expect, test } from "vitest";
import { createHandler } from "../src/handler.ts";
import type { Principal } from "../src/request/principal.ts";
import { type Operation, routesOf } from "../src/routing/operation.ts";

const answer = () => new Response();
const operation = (method: Operation["method"], path: string, more: Partial<Operation> = {}): Operation => ({
  method,
  path,
  summary: "It is there.",
  ...more,
});
const answering = (operations: Readonly<Record<string, Operation>>) =>
  Object.fromEntries(Object.keys(operations).map((id) => [id, answer]));

test("an operation requires its declared verbs, or by default those of its method", async () => {
  const operations = {
    open: operation("GET", "/open", { verbs: [] }),
    seen: operation("GET", "/seen/{id}"),
    made: operation("POST", "/made"),
  };
  const group = { routes: routesOf(operations, answering(operations)) };
  const who: Principal = { id: "chats", allows: () => true, verbs: ["chat"] };
  const handler = createHandler({ routes: [group], authenticate: async () => who });
  const needs = async (method: string, path: string) => {
    const response = await handler(new Request(`http://localhost${path}`, { method }));
    return response.status === 403 ? /needs (\w+)/.exec(await response.text())?.[1] : response.status;
  };
  expect(await needs("GET", "/open")).toBe(200);
  expect(await needs("GET", "/seen/1")).toBe("read");
  expect(await needs("POST", "/made")).toBe("write");
  expect(await needs("PATCH", "/made")).toBe(405);
  expect((await handler(new Request("http://localhost/seen/1", { method: "HEAD" }))).status).toBe(403);
});

test("an operation without a handler, and a handler without an operation, are startup errors", () => {
  const operations = { seen: operation("GET", "/seen") };
  expect(() => routesOf(operations, {})).toThrow("the operation seen has no handler");
  expect(() => routesOf(operations, { seen: answer, sene: answer })).toThrow("there is no operation sene");
  // An operation that a server leaves out must be listed as undefined; it has no route.
  expect(routesOf(operations, { seen: undefined })).toEqual([]);
});

test("a route accepts the query parameters of its operation", async () => {
  const parameter = (name: string, schema = {}) => ({ name, in: "query" as const, schema });
  const parameters = [parameter("after"), parameter("each", { type: "array" })];
  const operations = { seen: operation("GET", "/seen", { parameters }) };
  const handler = createHandler({ routes: [{ routes: routesOf(operations, answering(operations)) }] });
  expect((await handler(new Request("http://localhost/seen?after=1"))).status).toBe(200);
  const refused = await handler(new Request("http://localhost/seen?aftre=1"));
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("it takes after")]);
  expect((await handler(new Request("http://localhost/seen?each=1&each=2"))).status).toBe(200);
  // Otherwise the second value would be ignored silently.
  const twice = await handler(new Request("http://localhost/seen?after=1&after=2"));
  expect([twice.status, await twice.text()]).toEqual([422, expect.stringContaining("more than once")]);
});
