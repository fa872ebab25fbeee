// A server's description of its interface: the document, and the reference made from it on first request.

import type { Json } from "@assay/base";
import { openApiDocument, openApiPart } from "../openapi/open-api.ts";
import { PAGE_HEADERS } from "../page/policy.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import { referenceList, referencePage } from "./reference.ts";
import { STYLE } from "./style.ts";

/** The operations that document the others. */
export type DescribedId = "openApi" | "reference" | "referenceStyle" | "referenceList";

/**
 * Answers with the document, its reference with a style sheet, and the list. They contain no data, so everyone may
 * read them.
 */
export function describedBy(
  groups: readonly RouteGroup[],
): Readonly<Record<DescribedId, () => Response | Promise<Response>>> {
  let made: Json | undefined;
  const document = () => {
    made ??= openApiDocument(groups.map(openApiPart));
    return made;
  };
  let page: Promise<string> | undefined;
  const text = (body: string, type: string) =>
    new Response(body, {
      headers: { ...PAGE_HEADERS, "Cache-Control": "no-cache", "Content-Type": `${type}; charset=utf-8` },
    });
  return {
    openApi: () => Response.json(document()),
    async reference() {
      page ??= referencePage(document());
      return text(await page, "text/html");
    },
    referenceStyle: () => text(STYLE, "text/css"),
    referenceList: () => text(referenceList(document()), "text/plain"),
  };
}
