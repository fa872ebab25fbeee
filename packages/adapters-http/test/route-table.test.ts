import { Hono } from "hono";
import { expect, test } from "vitest";
import { routeTable } from "../src/route-table.ts";

const answer = () => new Response();
const verbsOf = (find: ReturnType<typeof routeTable>, method: string, path: string) =>
  find(new Request(`http://localhost${path}`, { method }))?.verbs;

test("a route is for the verbs that its face says, else for what its method does", () => {
  const face = new Hono().get("/open", answer).get("/seen", answer).post("/made", answer);
  const app = new Hono().route("/", face);
  const find = routeTable(app, [{ app: face, verbs: { "GET /open": [] } }]);
  expect(["/open", "/seen"].map((path) => verbsOf(find, "GET", path))).toEqual([[], ["read"]]);
  expect(verbsOf(find, "HEAD", "/seen")).toEqual(["read"]);
  expect(verbsOf(find, "POST", "/made")).toEqual(["write"]);
  expect(verbsOf(find, "PATCH", "/made")).toBeUndefined();
});

test("a route that no face knows of is not open to every key", () => {
  const find = routeTable(new Hono().get("/forgotten", answer), []);
  expect(verbsOf(find, "GET", "/forgotten")).toEqual(["write"]);
});
