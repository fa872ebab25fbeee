// What a server says of its interface, at the server: the document, and the reference that is made of it, once somebody asks.

import type { Json } from "@assay/base";
import { Hono } from "hono";
import type { Face } from "../face.ts";
import { openApiDocument, openApiPart } from "../open-api.ts";
import { PAGE_HEADERS } from "../page/policy.ts";
import { referenceList, referencePage, STYLE_PATH } from "./reference.ts";
import { STYLE } from "./style.ts";

/**
 * Answers `GET /openapi.json`, `GET /docs` and its style sheet, and `GET /llms.txt`. Whoever asks may read them: they hold
 * no data.
 */
export function describedBy(faces: readonly Face[]): (request: Request) => Response | Promise<Response> {
  const app = new Hono();
  let made: Json | undefined;
  const document = () => {
    made ??= openApiDocument(faces.map(openApiPart));
    return made;
  };
  app.get("/openapi.json", (context) => context.json(document()));
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
  return (request) => app.fetch(request);
}
