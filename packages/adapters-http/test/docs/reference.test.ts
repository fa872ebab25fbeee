// The HTTP reference: it agrees with the OpenAPI document, has no broken links, and escapes all text.

import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { expect, test } from "vitest";
import { referencePage } from "../../src/docs/reference.ts";
import { createHandler, evalResultsRoutes, loopbackAuthentication, pageRoutes } from "../../src/index.ts";

const handler = createHandler({
  routes: [
    evalResultsRoutes({
      engine: createEvalEngine({ calls: memoryCalls([]), rows: memoryRows() }),
      authenticate: loopbackAuthentication(),
    }),
    pageRoutes({ file: () => ({ body: new Uint8Array(), type: "text/html" }) }),
  ],
});
const ask = (path: string) => handler(new Request(`http://localhost${path}`));
const textAt = async (path: string) => (await ask(path)).text();

interface Document {
  readonly paths: {
    readonly [path: string]: { readonly [method: string]: { readonly operationId: string } };
  };
  readonly components: { readonly schemas: object };
}
const document = JSON.parse(await textAt("/openapi.json")) as Document;
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

test("it is served without a key, under the page's policy, and loads only its style sheet", async () => {
  const page = await ask("/docs");
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const policy = (await ask("/")).headers.get("content-security-policy");
  expect(policy).toMatch(/default-src 'none'.*style-src 'self'/);
  expect(page.headers.get("content-security-policy")).toBe(policy);
  const text = await page.text();
  expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  expect(text.match(/<(?:link|img|script|iframe)[^>]*>/g)).toEqual([
    '<link rel="icon" href="data:,">',
    '<link rel="stylesheet" href="/docs.css">',
  ]);
  expect((await ask("/docs.css")).headers.get("content-type")).toBe("text/css; charset=utf-8");
});

test("every operation and every schema has an anchor, and every internal link leads to one", async () => {
  const text = await textAt("/docs");
  const places = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
  expect(new Set(places).size).toBe(places.length);
  expect(operations.length).toBeGreaterThan(5);
  expect(places).toEqual(expect.arrayContaining(operations.map(({ operationId }) => operationId)));
  expect(places).toEqual(
    expect.arrayContaining(Object.keys(document.components.schemas).map((name) => `schema-${name}`)),
  );
  const links = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id!);
  expect(links.filter((id) => !places.includes(id))).toEqual([]);
});

test("it describes each property, with whether it is required and its bounds", async () => {
  const page = await referencePage({
    info: { title: "T" },
    components: {
      schemas: {
        Body: {
          type: "object",
          required: ["limit"],
          properties: {
            limit: { type: "integer", minimum: 1, default: 10, description: "How `many`." },
            inner: { type: "array", items: { type: "object", properties: { a: { enum: ["x", null] } } } },
          },
        },
      },
    },
  });
  expect(page).toContain(
    "<td><code>limit</code> <small>needed</small></td><td>integer</td><td>How <code>many</code>. <small>≥ <code>1</code> default <code>10</code> </small></td>",
  );
  expect(page).toContain(
    "<td><code>inner[].a</code></td><td><code>&quot;x&quot;</code> or <code>null</code></td>",
  );
});

test("text of the document never becomes markup", async () => {
  const evil = `<img src=x onerror="alert(1)">`;
  const page = await referencePage({
    info: { title: evil, description: evil },
    paths: {
      [`/${evil}`]: {
        get: { operationId: evil, tags: [evil], summary: evil, responses: { [evil]: { description: evil } } },
      },
    },
    components: {
      schemas: {
        [evil]: {
          description: evil,
          examples: [evil],
          properties: { [evil]: { $ref: evil, pattern: evil } },
        },
      },
    },
  });
  expect(page).not.toContain("<img");
  expect(page).not.toContain('onerror="');
});

test("the list for programs has every operation", async () => {
  const list = await textAt("/llms.txt");
  expect(list.match(/^- \[/gm)).toHaveLength(operations.length);
  expect(list).toContain(
    "- [POST /v2/{entity}/{project}/eval_results/query](/docs#evalResultsQuery): Query rows of",
  );
});
