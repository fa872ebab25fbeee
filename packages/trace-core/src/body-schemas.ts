// The bodies of requests as JSON Schema for an OpenAPI document, from the schemas that read them.

import type { Json } from "@assay/base";
import { jsonSchemaOf } from "@assay/base/internal";
import { CALLS_QUERY_SCHEMAS } from "./calls/read-calls-query.ts";
import { PIECE_SCHEMAS } from "./calls/read-pieces.ts";
import { COST_SCHEMAS } from "./costs/costs.ts";
import { EVALUATION_RUN_SCHEMAS } from "./evaluation-runs/bodies.ts";
import { FEEDBACK_SCHEMAS } from "./feedback/feedback.ts";
import { OBJECT_SCHEMAS } from "./objects/objects.ts";
import { REFS_SCHEMAS } from "./objects/read-refs.ts";
import { TABLE_SCHEMAS } from "./objects/tables.ts";
import { NAMED_SCHEMAS } from "./request/read-named.ts";
import { RECORD_SCHEMAS } from "./request/record-query.ts";

type Fields = { readonly [name: string]: Json };

const start = (): Fields => objectOf({ start: partOf(PIECE_SCHEMAS().Start) });
const end = (): Fields => objectOf({ end: partOf(PIECE_SCHEMAS().End) });
const complete = (): Fields => partOf(PIECE_SCHEMAS().Complete);
const question = (): Fields => partOf(RECORD_SCHEMAS().RecordQueryBody);
const purge = (): Fields => partOf(RECORD_SCHEMAS().PurgeBody);
const feedback = (): Fields => partOf(FEEDBACK_SCHEMAS().FeedbackBody);

/**
 * The schema of each body, by the path of its route for Weave clients, such as `/call/start`. The schemas do not
 * express rules about several fields or about stored data.
 */
export const BODY_SCHEMAS: { readonly [path: string]: () => Json } = {
  "/call/start": start,
  "/call/end": end,
  "/call/upsert_batch": () =>
    objectOf({
      batch: listOf({
        anyOf: [
          objectOf({ mode: { const: "start" }, req: start() }),
          objectOf({ mode: { const: "end" }, req: end() }),
          objectOf({ mode: { const: "complete" }, req: complete() }),
        ],
      }),
    }),
  "/call/update": () => partOf(PIECE_SCHEMAS().CallUpdate),
  "/call/read": () => partOf(NAMED_SCHEMAS().CallBody),
  "/calls/delete": () => partOf(NAMED_SCHEMAS().DeletionBody),
  "/calls/stream_query": () => partOf(CALLS_QUERY_SCHEMAS().CallsQueryBody),
  "/calls/query_stats": () => partOf(CALLS_QUERY_SCHEMAS().CallsCountBody),
  "/v2/{entity}/{project}/call/start": start,
  "/v2/{entity}/{project}/call/end": end,
  "/v2/{entity}/{project}/calls/complete": () => objectOf({ batch: listOf(complete()) }),
  "/v2/{entity}/{project}/datasets": () =>
    withItems(partOf(EVALUATION_RUN_SCHEMAS().DatasetBody), ["rows"], partOf(TABLE_SCHEMAS().Row)),
  "/v2/{entity}/{project}/scorers": () => partOf(EVALUATION_RUN_SCHEMAS().ScorerBody),
  "/v2/{entity}/{project}/models": () => partOf(EVALUATION_RUN_SCHEMAS().ModelBody),
  "/v2/{entity}/{project}/evaluations": () => partOf(EVALUATION_RUN_SCHEMAS().EvaluationBody),
  "/v2/{entity}/{project}/evaluation_runs": () => partOf(EVALUATION_RUN_SCHEMAS().EvaluationRunBody),
  "/v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish": () =>
    partOf(EVALUATION_RUN_SCHEMAS().FinishBody),
  "/v2/{entity}/{project}/predictions": () => partOf(EVALUATION_RUN_SCHEMAS().PredictionBody),
  "/v2/{entity}/{project}/predictions/{prediction_id}/finish": () =>
    partOf(EVALUATION_RUN_SCHEMAS().FinishBody),
  "/v2/{entity}/{project}/scores": () => partOf(EVALUATION_RUN_SCHEMAS().ScoreBody),
  "/obj/create": () => partOf(OBJECT_SCHEMAS().ObjectBody),
  "/obj/read": () => partOf(OBJECT_SCHEMAS().ObjectReadBody),
  "/obj/delete": () => partOf(OBJECT_SCHEMAS().ObjectRemovalBody),
  "/objs/query": () => partOf(OBJECT_SCHEMAS().ObjectsQueryBody),
  "/table/create": () =>
    withItems(partOf(TABLE_SCHEMAS().TableBody), ["table", "rows"], partOf(TABLE_SCHEMAS().Row)),
  "/table/create_from_digests": () =>
    withItems(partOf(TABLE_SCHEMAS().TableDigestsBody), ["row_digests"], { type: "string" }),
  "/table/update": () =>
    withItems(partOf(TABLE_SCHEMAS().TableUpdateBody), ["updates"], partOf(TABLE_SCHEMAS().Change)),
  "/table/query": () => partOf(TABLE_SCHEMAS().TableQueryBody),
  "/table/query_stats": () => partOf(TABLE_SCHEMAS().TableStatsBody),
  "/table/query_stats_batch": () => partOf(TABLE_SCHEMAS().TableStatsBatchBody),
  "/refs/read_batch": () => partOf(REFS_SCHEMAS().RefsBody),
  "/feedback/create": feedback,
  "/feedback/batch/create": () => objectOf({ batch: listOf(feedback()) }),
  "/feedback/replace": () => partOf(FEEDBACK_SCHEMAS().ReplacementBody),
  "/feedback/query": question,
  "/feedback/purge": purge,
  "/cost/create": () => partOf(COST_SCHEMAS().CostsBody),
  "/cost/query": question,
  "/cost/purge": purge,
  "/file/content": () => partOf(NAMED_SCHEMAS().FileBody),
};

/** A schema as part of a document, without `$schema`, which the document states for all. */
function partOf(schema: Parameters<typeof jsonSchemaOf>[0]): Fields {
  const { $schema: _, ...part } = jsonSchemaOf(schema) as Fields;
  return part;
}

function objectOf(properties: Fields): Fields {
  return { type: "object", required: Object.keys(properties), properties, additionalProperties: false };
}

function listOf(items: Json): Fields {
  return { type: "array", items };
}

/** `schema`, with a schema for the items of a list that is read item by item. */
function withItems(schema: Fields, [name, ...rest]: readonly string[], items: Json): Fields {
  if (name === undefined) return { ...schema, items };
  const properties = schema["properties"] as { readonly [name: string]: Fields };
  return { ...schema, properties: { ...properties, [name]: withItems(properties[name]!, rest, items) } };
}
