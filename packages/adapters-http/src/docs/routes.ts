// The reference of a server, at the server: made of the document that it serves, once somebody asks.

import type { Json } from "@assay/base";
import type { Hono } from "hono";
import { PAGE_HEADERS } from "../page/policy.ts";
import { referenceList, referencePage, STYLE_PATH } from "./reference.ts";
import { STYLE } from "./style.ts";

/** Adds `GET /docs` and its style sheet, and `GET /llms.txt`. Whoever asks may read them: they hold no data. */
export function addReference(app: Hono, document: () => Json): void {
  let page: Promise<string> | undefined;
  const headers = (type: string) => ({
    ...PAGE_HEADERS,
    "Cache-Control": "no-cache",
    "Content-Type": `${type}; charset=utf-8`,
  });
  app.get("/docs", async (context) => {
    page ??= referencePage(document());
    return context.body(await page, 200, headers("text/html"));
  });
  app.get(STYLE_PATH, (context) => context.body(STYLE, 200, headers("text/css")));
  app.get("/llms.txt", (context) => context.body(referenceList(document()), 200, headers("text/plain")));
}
