// The rows of a query as a table to take away: CSV, Parquet or JSON lines, filtered and sorted as a page shows them.

import type { Issue } from "@assay/base";
import { viewIssues } from "@assay/eval-engine/requests";
import { type Context, Hono } from "hono";
import { type BodyLimits, readJsonBody } from "../body.ts";
import type { Face, OpenApiPart } from "../face.ts";
import { detailAnswers, jsonContent, PROJECT_PARAMETERS } from "../openapi.ts";
import type { Authenticate } from "../principal.ts";
import { detailResponse, problemOf, refusedBody, validationProblem } from "../problem.ts";
import { accessProblem } from "../project-access.ts";
import { readProjectPath } from "../project-path.ts";
import { streamed } from "../streamed.ts";

/** The formats of a table. */
export type TableFormat = "csv" | "parquet" | "jsonl";

/** Where tables are written. */
export interface TableSource {
  /**
   * The trials of the rows of a page's body, all of them unless its query has a limit, as the bytes of a table. Throws a
   * `Fault` when the storage fails.
   */
  table(project: string, body: unknown, format: TableFormat): AsyncIterable<Uint8Array>;
}

/** What the face is made of. */
export interface ExportFaceOptions {
  /** Where tables are written. */
  readonly source: TableSource;
  /** Who may ask. */
  readonly authenticate: Authenticate;
  /** How large a body may be. */
  readonly body?: BodyLimits | undefined;
  /** Told of every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const PATH = "/v2/:entity/:project/eval_results/export";
const ROUTE = `POST ${PATH}`;
const TYPES: { readonly [Format in TableFormat]: string } = {
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  jsonl: "application/jsonl",
};

/** `POST /v2/{entity}/{project}/eval_results/export?format=csv`: the body is that of a page of rows. */
export function exportFace({ source, authenticate, body: limits, onError }: ExportFaceOptions): Face {
  const app = new Hono();
  app.post(PATH, async (context: Context) => {
    const request = context.req.raw;
    const { entity = "", project: name = "" } = context.req.param() as { readonly [name: string]: string };
    const refusal = await accessProblem(authenticate, request, { entity, project: name });
    if (refusal !== undefined) return detailResponse(refusal);
    const project = readProjectPath(entity, name);
    const format = new URL(request.url).searchParams.get("format") ?? "csv";
    const body = await readJsonBody(request, limits);
    if (!body.ok && body.refusal.status !== 422) return refusedBody(body.refusal);
    const issues = [
      ...(project.ok ? [] : project.issues),
      ...(format in TYPES ? [] : [UNKNOWN_FORMAT]),
      ...(body.ok ? viewIssues("page", body.value) : body.refusal.issues),
    ];
    if (issues.length > 0 || !project.ok || !body.ok) return detailResponse(validationProblem(issues));
    const kind = format as TableFormat;
    const response = await streamed(source.table(project.value, body.value, kind), TYPES[kind]);
    response.headers.set("Content-Disposition", `attachment; filename="rows.${kind}"`);
    return response;
  });
  app.onError((error) => {
    const problem = problemOf(error);
    if (problem.status >= 500) onError?.(error);
    return detailResponse(problem);
  });
  const parameters = { [ROUTE]: ["format"] };
  return { app, openApi: exportOpenApi, refuse: detailResponse, parameters, streams: [ROUTE] };
}

const UNKNOWN_FORMAT: Issue = {
  code: "literal_error",
  path: ["query", "format"],
  message: "format must be csv, parquet or jsonl",
};

function exportOpenApi(): OpenApiPart {
  return {
    paths: {
      "/v2/{entity}/{project}/eval_results/export": {
        post: {
          operationId: "evalResultsExport",
          summary: "The trials of rows as a table, filtered and sorted as a page shows them.",
          description:
            "One line for each trial, with a column for each field. All rows unless the query has a limit, which may be 1000 at most. Breaks off when something fails in the middle.",
          parameters: [
            ...PROJECT_PARAMETERS,
            {
              name: "format",
              in: "query",
              schema: { enum: ["csv", "parquet", "jsonl"], default: "csv" },
            },
          ],
          requestBody: { required: true, content: jsonContent("EvalResultsPageBody") },
          responses: {
            "200": {
              description: "The table.",
              content: Object.fromEntries(
                Object.values(TYPES).map((type) => [type.split(";")[0], { schema: { type: "string" } }]),
              ),
            },
            "422": {
              description: "What is wrong with the request.",
              content: jsonContent("HTTPValidationError"),
            },
            ...detailAnswers([400, 401, 404, 413, 415, 429, 500, 503]),
          },
        },
      },
    },
    schemas: {},
  };
}
