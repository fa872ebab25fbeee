import { expect, test } from "vitest";
import { apiOf } from "../../src/page/data/api.ts";

test("lists all projects, however many pages they are", async () => {
  const names = Array.from({ length: 450 }, (_, i) => `p${String(i).padStart(3, "0")}`);
  const api = apiOf(async ({ url }) => {
    const { searchParams } = new URL(url);
    const limit = Number(searchParams.get("limit"));
    const from = names.findIndex((name) => `acme/${name}` > (searchParams.get("after") ?? ""));
    const some = names.slice(from, from + limit);
    const next = from + limit < names.length ? `acme/${some.at(-1)}` : null;
    return Response.json({ projects: some.map((project) => ({ entity: "acme", project })), next });
  }, "http://assay.invalid");
  expect((await api.projects()).map(({ project }) => project)).toEqual(names);
});
