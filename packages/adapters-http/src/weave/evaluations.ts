// The list of a project's evaluation objects as JSON lines, like in the hosted service.

import type { Json } from "@assay/base";
import { type EvaluationObject, queryEvaluationObjects } from "@assay/trace-core/internal";
import type { Operation } from "../routing/operation.ts";
import { detailAnswers, INVALID, PROJECT_PARAMETERS } from "../routing/operation-parts.ts";
import { jsonLines } from "./json-lines.ts";
import { PAGE_PARAMETERS, readPage } from "./list-page.ts";
import { projectRefusal, type RouteContext, refuse } from "./route.ts";

/** Answers with the evaluation objects of a project, one per line. */
export async function answerEvaluations(
  query: URLSearchParams,
  project: string,
  { stores, principal, reading }: Pick<RouteContext, "stores" | "principal" | "reading">,
): Promise<Response> {
  const page = readPage(query);
  if (!page.ok) return refuse(page.issues);
  const refused = projectRefusal([], { principal, pathProject: project });
  if (refused !== undefined) return refused;
  const found = await queryEvaluationObjects(stores.objects, { project_id: project, ...page.value }, reading);
  return jsonLines(batches(found), reading);
}

/** The number of lines written together. */
const BATCH = 500;

async function* batches(
  found: readonly EvaluationObject[],
): AsyncGenerator<readonly EvaluationObject[], void> {
  for (let at = 0; at < found.length; at += BATCH) yield found.slice(at, at + BATCH);
}

const TEXT: Json = { type: "string" };
const TEXT_OR_NULL: Json = { type: ["string", "null"] };

/** Its members. */
export const EVALUATION_OBJECT: Json = {
  type: "object",
  required: ["object_id", "digest", "version_index", "created_at", "name", "dataset", "scorers", "trials"],
  properties: {
    object_id: TEXT,
    digest: TEXT,
    version_index: { type: "integer", minimum: 0 },
    created_at: { type: "string", format: "date-time" },
    name: TEXT,
    description: TEXT_OR_NULL,
    dataset: { type: "string", description: "A reference (weave:// URI); empty for none." },
    scorers: { type: "array", items: TEXT, description: "References." },
    trials: { type: "integer", description: "How often each row is predicted." },
    evaluation_name: TEXT_OR_NULL,
    evaluate_op: TEXT_OR_NULL,
    predict_and_score_op: TEXT_OR_NULL,
    summarize_op: TEXT_OR_NULL,
  },
};

/** The list. */
export const EVALUATION_OBJECTS: Operation = {
  method: "GET",
  path: "/v2/{entity}/{project}/evaluations",
  summary: "List the published evaluation objects: every version, by object id.",
  parameters: [...PROJECT_PARAMETERS, ...PAGE_PARAMETERS],
  answers: {
    "200": {
      description: "One per line.",
      content: { "application/jsonl": { schema: { $ref: "#/components/schemas/EvaluationObject" } } },
    },
    ...INVALID,
    ...detailAnswers([401, 404, 500, 503]),
  },
  stream: "large",
};
