// What the bodies of requests look like as JSON Schema, for an OpenAPI document: made of the schemas that read them.

import type { Json } from "@assay/base";
import { jsonSchemaOf } from "@assay/base/internal";
import { CALLS_QUERY_SCHEMAS } from "./calls-query.ts";
import { EVALUATION_RUN_SCHEMAS } from "./evaluation-runs/bodies.ts";
import { FEEDBACK_SCHEMAS } from "./feedback.ts";
import { OBJECT_SCHEMAS } from "./objects.ts";
import { NAMED_SCHEMAS } from "./read-named.ts";
import { PIECE_SCHEMAS } from "./read-pieces.ts";
import { REFS_SCHEMAS } from "./read-refs.ts";
import { TABLE_SCHEMAS } from "./tables.ts";

const { CallsQueryBody } = CALLS_QUERY_SCHEMAS;
const {
  DatasetBody,
  ScorerBody,
  ModelBody,
  EvaluationBody,
  EvaluationRunBody,
  FinishBody,
  PredictionBody,
  ScoreBody,
} = EVALUATION_RUN_SCHEMAS;
const { FeedbackBody, FeedbackQueryBody } = FEEDBACK_SCHEMAS;
const { ObjectBody, ObjectReadBody, ObjectsQueryBody, ObjectRemovalBody } = OBJECT_SCHEMAS;
const { CallBody, DeletionBody, FileBody } = NAMED_SCHEMAS;
const { Start, End, Complete, CallUpdate } = PIECE_SCHEMAS;
const { RefsBody } = REFS_SCHEMAS;
const {
  Row,
  TableBody,
  TableDigestsBody,
  TableUpdateBody,
  Change,
  TableQueryBody,
  TableStatsBody,
  TableStatsBatchBody,
} = TABLE_SCHEMAS;

type Fields = { readonly [name: string]: Json };

/**
 * The schemas of bodies by the paths at which Weave's clients send them, as in `/call/start`. What depends on several
 * fields, or on the store, they do not say.
 */
export function bodySchemas(): { readonly [path: string]: Json } {
  const start = objectOf({ start: partOf(Start) });
  const end = objectOf({ end: partOf(End) });
  const complete = partOf(Complete);
  const feedback = partOf(FeedbackBody);
  return {
    "/call/start": start,
    "/call/end": end,
    "/call/upsert_batch": objectOf({
      batch: listOf({
        anyOf: [
          objectOf({ mode: { const: "start" }, req: start }),
          objectOf({ mode: { const: "end" }, req: end }),
          objectOf({ mode: { const: "complete" }, req: complete }),
        ],
      }),
    }),
    "/call/update": partOf(CallUpdate),
    "/call/read": partOf(CallBody),
    "/calls/delete": partOf(DeletionBody),
    "/calls/stream_query": partOf(CallsQueryBody),
    "/calls/query_stats": partOf(CallsQueryBody),
    "/v2/{entity}/{project}/call/start": start,
    "/v2/{entity}/{project}/call/end": end,
    "/v2/{entity}/{project}/calls/complete": objectOf({ batch: listOf(complete) }),
    "/v2/{entity}/{project}/datasets": withItems(partOf(DatasetBody), ["rows"], partOf(Row)),
    "/v2/{entity}/{project}/scorers": partOf(ScorerBody),
    "/v2/{entity}/{project}/models": partOf(ModelBody),
    "/v2/{entity}/{project}/evaluations": partOf(EvaluationBody),
    "/v2/{entity}/{project}/evaluation_runs": partOf(EvaluationRunBody),
    "/v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish": partOf(FinishBody),
    "/v2/{entity}/{project}/predictions": partOf(PredictionBody),
    "/v2/{entity}/{project}/predictions/{prediction_id}/finish": partOf(FinishBody),
    "/v2/{entity}/{project}/scores": partOf(ScoreBody),
    "/obj/create": partOf(ObjectBody),
    "/obj/read": partOf(ObjectReadBody),
    "/obj/delete": partOf(ObjectRemovalBody),
    "/objs/query": partOf(ObjectsQueryBody),
    "/table/create": withItems(partOf(TableBody), ["table", "rows"], partOf(Row)),
    "/table/create_from_digests": withItems(partOf(TableDigestsBody), ["row_digests"], { type: "string" }),
    "/table/update": withItems(partOf(TableUpdateBody), ["updates"], partOf(Change)),
    "/table/query": partOf(TableQueryBody),
    "/table/query_stats": partOf(TableStatsBody),
    "/table/query_stats_batch": partOf(TableStatsBatchBody),
    "/refs/read_batch": partOf(RefsBody),
    "/feedback/create": feedback,
    "/feedback/batch/create": objectOf({ batch: listOf(feedback) }),
    "/feedback/replace": withProperty(feedback, "feedback_id", { type: "string" }),
    "/feedback/query": partOf(FeedbackQueryBody),
    "/feedback/purge": partOf(FeedbackQueryBody),
    "/file/content": partOf(FileBody),
  };
}

/** A schema as part of a document, which says itself of which kind its schemas are. */
function partOf(schema: Parameters<typeof jsonSchemaOf>[0]): Fields {
  const { $schema: _, ...part } = jsonSchemaOf(schema) as Fields;
  return part;
}

function objectOf(properties: Fields): Fields {
  return { type: "object", required: Object.keys(properties), properties };
}

function listOf(items: Json): Fields {
  return { type: "array", items };
}

function withProperty(schema: Fields, name: string, property: Json): Fields {
  const { properties, required } = schema as { properties: Fields; required: readonly string[] };
  return { ...schema, required: [...required, name], properties: { ...properties, [name]: property } };
}

/** `schema` with the items of a list that is read one by one, at this place. */
function withItems(schema: Fields, [name, ...rest]: readonly string[], items: Json): Fields {
  if (name === undefined) return { ...schema, items };
  const properties = schema["properties"] as { readonly [name: string]: Fields };
  return { ...schema, properties: { ...properties, [name]: withItems(properties[name]!, rest, items) } };
}
