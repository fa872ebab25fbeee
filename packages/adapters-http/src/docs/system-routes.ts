// The handler's own public routes: health and documentation.

import type { Json } from "@assay/base";
import { type Answer, type Operation, type Operations, routesOf } from "../routing/operation.ts";
import { detailAnswers } from "../routing/operation-parts.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import type { DescribedId, describedBy } from "./routes.ts";

const STATUS = {
  "application/json": {
    schema: { type: "object", properties: { status: { const: "ok" } }, required: ["status"] },
  },
};

function open(path: string, summary: string, answers: { readonly [status: string]: Json }): Operation {
  return { method: "GET", path, summary, key: "none", answers, verbs: [] };
}

function describing(path: string, summary: string): Operation {
  return { ...open(path, summary, {}), unlisted: "it is about the document" };
}

const OPERATIONS: Operations = {
  health: open("/v1/health", "Check that the server is alive; it answers even while its store does not.", {
    "200": { description: "The server is alive.", content: STATUS },
  }),
  ready: open("/v1/health/ready", "Check that requests can be answered from the store.", {
    "200": { description: "The store responds.", content: STATUS },
    ...detailAnswers([503]),
  }),
  openApi: describing("/openapi.json", "Download the OpenAPI document."),
  reference: describing("/docs", "Read the reference."),
  referenceStyle: describing("/docs.css", "Download the style sheet of the reference."),
  referenceList: describing("/llms.txt", "Download the reference as a list for language models."),
};

/** The paths that the handler answers in addition to its routes, each with GET. */
export const OWN_PATHS: readonly string[] = Object.values(OPERATIONS).map(({ path }) => path);

/** The routes of the handler itself. `ready` rejects with the fault that requests would meet. */
export function systemRoutes(
  groups: readonly RouteGroup[],
  ready: () => Promise<void> = async () => {},
): RouteGroup {
  const ok = () => Response.json({ status: "ok" });
  // Loaded on demand: the document and its pages are large, and most processes are never asked for them.
  let made: Promise<ReturnType<typeof describedBy>> | undefined;
  const described =
    (id: DescribedId): Answer =>
    async () => {
      made ??= import("./routes.ts").then(({ describedBy }) => describedBy([...groups, group]));
      return (await made)[id]();
    };
  const handlers = {
    health: ok,
    async ready() {
      await ready();
      return ok();
    },
    openApi: described("openApi"),
    reference: described("reference"),
    referenceStyle: described("referenceStyle"),
    referenceList: described("referenceList"),
  };
  const group: RouteGroup = { routes: routesOf(OPERATIONS, handlers) };
  return group;
}
