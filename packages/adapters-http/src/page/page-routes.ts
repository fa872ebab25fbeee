// The page for people: its files at `/` and `/assets/`, without a key. The files contain no data; the page requests
// data with a key. Serves only the given files.

import type { Json } from "@assay/base";
import { errorResponse } from "../response/problem.ts";
import { type Handlers, type Operations, type RouteRequest, routesOf } from "../routing/operation.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import type { PageFile, PageFiles } from "./files.ts";
import { PAGE_HEADERS } from "./policy.ts";

const bytes = (description: string, types: readonly string[]): Json => ({
  description,
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: "string" } }])),
});

/** The files of the page. */
const OPERATIONS: Operations = {
  page: {
    method: "GET",
    path: "/",
    summary: "Open the page.",
    key: "none",
    answers: { "200": bytes("The page.", ["text/html"]) },
    verbs: [],
  },
  pageAsset: {
    method: "GET",
    path: "/assets/{name}",
    summary: "Download a file of the page.",
    key: "none",
    parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
    answers: {
      "200": bytes("The file.", ["text/javascript", "text/css"]),
      "404": { description: "No such file." },
    },
    verbs: [],
  },
};

/**
 * The page as a group of routes: `GET /` and `GET /assets/{name}`, without a key. Browsers that open an address of W&B's
 * site, such as `/acme/demo/runs/x1`, which its clients print, are redirected to its place on the page.
 */
export function pageRoutes(files: PageFiles): RouteGroup {
  const answer = ({ request, path }: RouteRequest, name: string, caching: string): Response => {
    const file = files.file(name);
    return file === undefined
      ? errorResponse({ status: 404, detail: `there is no page at ${path}` })
      : fileResponse(request, file, caching);
  };
  const handlers: Handlers = {
    page: (asked) => answer(asked, "index.html", "no-cache"),
    // An asset's name contains its content's hash, so it never changes.
    pageAsset: (asked) =>
      answer(asked, `assets/${asked.param("name")}`, "public, max-age=31536000, immutable"),
  };
  return { routes: routesOf(OPERATIONS, handlers), fallback: redirectToPage };
}

/** Redirects browsers from addresses of W&B's site, which its clients print, to the places on the page. */
function redirectToPage(request: Request): Response | undefined {
  if (!(request.headers.get("accept") ?? "").includes("text/html")) return undefined;
  const place = placeOf(new URL(request.url).pathname);
  if (place === undefined) return undefined;
  return new Response(null, { status: 302, headers: { Location: `/#/${place}` } });
}

/** The place of W&B's address of a project, its runs or Weave data, a run or a call. */
function placeOf(path: string): string | undefined {
  const [, project, rest = ""] = /^\/((?!v\d+\/)[^/]+\/[^/]+)(?:\/(.*))?$/.exec(path) ?? [];
  if (project === undefined) return undefined;
  const [area, name, id] = rest.split("/");
  if (area === "" || area === "runs" || area === "workspace" || area === "artifacts")
    return `${project}/runs${area === "runs" && name ? `/${name}` : ""}`;
  if (area === "weave") return name === undefined ? `${project}/calls` : project;
  return area === "r" && name === "call" && id ? `${project}/calls/${id}` : undefined;
}

function fileResponse(request: Request, { body, type, encodings }: PageFile, caching: string): Response {
  const [encoding, bytes] = encodedFor(request, encodings) ?? [undefined, body];
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "Content-Type": type,
      "Content-Length": String(bytes.length),
      ...(encoding !== undefined && { "Content-Encoding": encoding }),
      Vary: "Accept-Encoding",
      "Cache-Control": caching,
      ...PAGE_HEADERS,
    },
  });
}

/** The smallest encoding of a file that the client of `request` accepts; undefined for the uncompressed file. */
function encodedFor(
  request: Request,
  encodings: PageFile["encodings"] = {},
): readonly [string, Uint8Array] | undefined {
  const accepted = acceptedEncodings(request.headers.get("accept-encoding") ?? "");
  for (const name of ["br", "gzip"] as const) {
    const bytes = encodings[name];
    if (bytes !== undefined && accepted.has(name)) return [name, bytes];
  }
  return undefined;
}

/** The encodings in an `Accept-Encoding` header, without those that `q=0` refuses. */
function acceptedEncodings(header: string): ReadonlySet<string> {
  const names = header
    .toLowerCase()
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => !/;\s*q=0(\.0*)?$/.test(entry))
    .map((entry) => entry.split(";", 1)[0]!.trim());
  return new Set(names);
}
