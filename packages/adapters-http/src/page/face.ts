// The page for people: its files at `/` and `/assets/`, to whoever asks. They hold no data; what the page shows it asks
// for with a key. Must never serve anything but the files that it is given.

import { type Context, Hono } from "hono";
import type { Face, OpenApiPart } from "../face.ts";
import { errorResponse } from "../problem.ts";
import type { PageFile, PageFiles } from "./files.ts";
import { PAGE_HEADERS } from "./policy.ts";

/** The page as a face: `GET /` and `GET /assets/{name}`, without a key. */
export function pageFace(files: PageFiles): Face {
  const app = new Hono();
  const answer = (context: Context, path: string, caching: string): Response => {
    const file = files.file(path);
    return file === undefined
      ? errorResponse({ status: 404, detail: `nothing is at ${context.req.path}` })
      : fileResponse(context.req.raw, file, caching);
  };
  app.get("/", (context) => answer(context, "index.html", "no-cache"));
  // An asset has its content's hash in its name: another content has another name.
  app.get("/assets/:name", (context) =>
    answer(context, `assets/${context.req.param("name")}`, "public, max-age=31536000, immutable"),
  );
  return { app, openApi: pageOpenApi, verbs: { "GET /": [], "GET /assets/:name": [] } };
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

/** The smallest form of a file that the sender of `request` says it reads; undefined for the file as it is. */
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

/** The encodings in an `Accept-Encoding` header, without those that it refuses with `q=0`. */
function acceptedEncodings(header: string): ReadonlySet<string> {
  const names = header
    .toLowerCase()
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => !/;\s*q=0(\.0*)?$/.test(entry))
    .map((entry) => entry.replace(/\s*;.*$/, ""));
  return new Set(names);
}

function pageOpenApi(): OpenApiPart {
  const bytes = (description: string, types: readonly string[]) => ({
    description,
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: "string" } }])),
  });
  return {
    paths: {
      "/": {
        get: {
          operationId: "page",
          summary: "The page for people.",
          security: [{}],
          responses: { "200": bytes("The page.", ["text/html"]) },
        },
      },
      "/assets/{name}": {
        get: {
          operationId: "pageAsset",
          summary: "A file that the page is made of.",
          security: [{}],
          parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
          responses: {
            "200": bytes("The file.", ["text/javascript", "text/css"]),
            "404": { description: "There is no such file." },
          },
        },
      },
    },
    schemas: {},
  };
}
