// Downloads of a query's rows, filtered like on the page: as a table, also sorted (CSV, Parquet, JSON lines), or as one
// HTML file that contains the page.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { viewIssues } from "@assay/eval-engine/requests";
import type { FieldPath } from "@assay/query-lang";
import { readFieldPath } from "@assay/query-lang/internal";
import { accessProblem } from "../auth/project-access.ts";
import { readProjectPath } from "../project-path.ts";
import { type BodyLimits, readJsonBody } from "../request/body.ts";
import type { Authenticate } from "../request/principal.ts";
import { detailResponse, refusedBody, validationProblem } from "../response/problem.ts";
import { streamResponse } from "../response/stream-response.ts";
import { type Answer, type Operations, routesOf } from "../routing/operation.ts";
import { detailAnswers, INVALID, jsonContent, PROJECT_PARAMETERS } from "../routing/operation-parts.ts";
import type { RouteGroup } from "../routing/route-group.ts";

/** The formats of a table. */
export type TableFormat = "csv" | "parquet" | "jsonl";

/** Which content of the rows to include in a page file. */
export interface PageFileOptions {
  /** How much of the model outputs to include: all, none, or a number of characters of each text. */
  readonly outputs: "full" | "none" | number;
  /** Fields whose values are replaced: `inputs.…`, `outputs.…` or `scores.…`, by their paths. */
  readonly redact: readonly FieldPath[];
}

/** A page file that is ready to be sent. */
interface PageFileContent {
  /** Its length in UTF-8. */
  readonly bytes: number;
  /** Its text in order, with each chunk built when it is read. */
  pieces(): AsyncIterable<string>;
  /** Call it after the file was sent, or if it will not be. */
  close(): Promise<void>;
}

/** Exports tables and page files. */
export interface TableSource {
  /**
   * The trials of the rows of a page's body, all of them unless its query has a limit, as the bytes of a table. Throws
   * a `Fault` if the storage fails, `cancelled` if the signal is aborted.
   */
  table(project: string, body: unknown, format: TableFormat, signal: AbortSignal): AsyncIterable<Uint8Array>;

  /**
   * The page as one HTML file that contains the rows of a page's body and their evaluations; undefined if it would
   * exceed the size limit. Absent if page files cannot be made. Throws a `Fault` if the storage fails.
   */
  file?(
    project: string,
    body: unknown,
    options: PageFileOptions,
    signal: AbortSignal,
  ): Promise<PageFileContent | undefined>;
}

/** Options of the export routes. */
export interface ExportRoutesOptions {
  /** Exports tables and page files. */
  readonly source: TableSource;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** The limits of a body. */
  readonly body?: BodyLimits | undefined;
  /** Called with every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const TYPES: { readonly [Format in TableFormat]: string } = {
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  jsonl: "application/jsonl",
};

/** The export of rows. */
const OPERATIONS: Operations = {
  evalResultsExport: {
    method: "POST",
    path: "/v2/{entity}/{project}/eval_results/export",
    summary: "Export rows, filtered as on a page: a table of trials, or the page in one file.",
    description:
      "A table has one line for each trial, in the page's order, and a column for each field. It has all rows, unless the query has a limit (at most 1000). If something fails in the middle, the connection closes early. A file (`html`) is the page with these rows and the engine inside. It opens without a server, and its length is known before it is sent.",
    parameters: [
      ...PROJECT_PARAMETERS,
      {
        name: "format",
        in: "query",
        schema: { enum: ["csv", "parquet", "jsonl", "html"], default: "csv" },
      },
      {
        name: "outputs",
        in: "query",
        description:
          "For a file: how much of the outputs to include: full, none, or a number of characters of each text.",
        schema: { type: "string", default: "full" },
      },
      {
        name: "redact",
        in: "query",
        description:
          "For a file: fields (`inputs.…`, `outputs.…`, `scores.…`) whose values are replaced, wherever they occur.",
        schema: { type: "array", items: { type: "string" } },
      },
    ],
    body: { required: true, content: jsonContent("EvalResultsPageBody") },
    answers: {
      "200": {
        description: "The table, or the file.",
        content: Object.fromEntries(
          [...Object.values(TYPES), "application/octet-stream"].map((type) => [
            type.split(";")[0],
            { schema: { type: "string" } },
          ]),
        ),
      },
      ...INVALID,
      ...detailAnswers([400, 401, 404, 413, 415, 429, 500, 503]),
    },
    verbs: ["read"],
    stream: "large",
  },
};

/** `POST /v2/{entity}/{project}/eval_results/export?format=csv`; the body is that of a page of rows. */
export function exportRoutes({
  source,
  authenticate,
  body: limits,
  onError,
}: ExportRoutesOptions): RouteGroup {
  const evalResultsExport: Answer = async ({ request, query, param }) => {
    const [entity, name] = [param("entity"), param("project")];
    const refusal = await accessProblem(authenticate, request, { entity, project: name });
    if (refusal !== undefined) return detailResponse(refusal);
    const project = readProjectPath(entity, name);
    const format = query.get("format") ?? "csv";
    const options = readFileOptions(query);
    const body = await readJsonBody(request, limits);
    if (!body.ok && body.refusal.status !== 422) return refusedBody(body.refusal);
    const issues = [
      ...(project.ok ? [] : project.issues),
      ...(format in TYPES || (format === "html" && source.file !== undefined) ? [] : [UNKNOWN_FORMAT]),
      ...(options.ok ? [] : options.issues),
      ...(body.ok ? viewIssues("page", body.value) : body.refusal.issues),
    ];
    if (issues.length > 0 || !project.ok || !body.ok || !options.ok)
      return detailResponse(validationProblem(issues));
    const { signal } = request;
    if (format === "html")
      return fileResponse(await source.file!(project.value, body.value, options.value, signal));
    const kind = format as TableFormat;
    const response = await streamResponse(source.table(project.value, body.value, kind, signal), TYPES[kind]);
    response.headers.set("Content-Disposition", `attachment; filename="rows.${kind}"`);
    return response;
  };
  return { routes: routesOf(OPERATIONS, { evalResultsExport }), refuse: detailResponse, onError };
}

const UNKNOWN_FORMAT: Issue = {
  code: "literal_error",
  path: ["query", "format"],
  message: "format must be csv, parquet, jsonl or html",
};

/** Fields to redact in a file. */
const MOST_REDACTED = 100;

function readFileOptions(parameters: URLSearchParams): Result<PageFileOptions> {
  const text = parameters.get("outputs") ?? "full";
  const outputs =
    text === "full" || text === "none" ? text : /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;
  const fields = parameters.getAll("redact").map((field) => readFieldPath(field));
  const known = fields.flatMap((field) => (field.ok && isRedactable(field.value) ? [field.value] : []));
  const issues: Issue[] = [];
  const fault = (name: string, message: string) =>
    issues.push({ code: "value_error", path: ["query", name], message });
  if (outputs === undefined) fault("outputs", "outputs must be full, none or a number of characters");
  if (known.length < fields.length)
    fault("redact", "redact must be a field: inputs.NAME, outputs.NAME or scores.NAME");
  if (fields.length > MOST_REDACTED) fault("redact", `at most ${MOST_REDACTED} fields can be redacted`);
  return outputs === undefined || issues.length > 0 ? bad(issues) : ok({ outputs, redact: known });
}

function isRedactable([part = "", ...path]: FieldPath): boolean {
  return ["inputs", "outputs", "scores"].includes(part) && path.length > 0;
}

function fileResponse(file: PageFileContent | undefined): Response {
  if (file === undefined)
    return detailResponse({
      status: 413,
      detail: "the file would be larger than 200 MB: keep fewer rows or evaluations, or less of outputs",
    });
  const pieces = file.pieces()[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done !== true) return controller.enqueue(encoder.encode(value));
        await file.close();
        controller.close();
      },
      async cancel() {
        await pieces.return?.();
        await file.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      // A browser that opens it from the server would run it as the server's own page.
      "Content-Type": "application/octet-stream",
      "Content-Length": String(file.bytes),
      "Content-Disposition": 'attachment; filename="compared.html"',
    },
  });
}
