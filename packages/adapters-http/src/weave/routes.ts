// The trace-server interface for Weave's clients: all routes with a JSON body.

import { type JsonObject, ok, type Result } from "@assay/base";
import { queryCalls, readBatch, readCallsQuery, type TraceCall } from "@assay/trace-core";
import {
  countCalls,
  countRows,
  createTable,
  deleteCalls,
  purgeCosts,
  purgeFeedback,
  queryCosts,
  queryFeedback,
  queryObjects,
  queryTable,
  readCallDeletion,
  readCallRead,
  readCallsCount,
  readCompletes,
  readCostPurge,
  readCostQuery,
  readCosts,
  readEnd,
  readFeedback,
  readFeedbackBatch,
  readFeedbackPurge,
  readFeedbackQuery,
  readFileRead,
  readObject,
  readObjectCreate,
  readObjectRead,
  readObjectRemoval,
  readObjectsQuery,
  readRefs,
  readReplacement,
  readStart,
  readTableCreate,
  readTableFromDigests,
  readTableQuery,
  readTableStats,
  readTableStatsBatch,
  readTableUpdate,
  readUpdate,
  receiptOf,
  removeVersions,
  resolveRefs,
  updateTable,
  viewCall,
} from "@assay/trace-core/internal";
import { inTimeSlices } from "../request/time-slices.ts";
import { streamResponse } from "../response/stream-response.ts";
import { withDeletionDeadline } from "./deletion-deadline.ts";
import { jsonLines } from "./json-lines.ts";
import { pricedCalls, withCosts } from "./priced-calls.ts";
import { notFound, type Route, type RouteContext, type RouteParts, refuse, route } from "./route.ts";

const projectOf = ({ project_id }: { readonly project_id: string }) => [project_id];
const projectOfQuery = ({ project }: { readonly project: string }) => [project];
const projectsOf = (items: readonly { readonly project_id: string }[]) =>
  items.map(({ project_id }) => project_id);

/** A route that stores pieces of calls and answers when they are durable. */
function logging(
  read: RouteParts<readonly TraceCall[]>["read"],
  answer: (pieces: readonly TraceCall[]) => JsonObject,
): Route {
  return route({
    read,
    projects: projectsOf,
    answer: async (pieces, { stores, reading }) => {
      if (pieces.length > 0) await stores.calls.put(pieces, reading);
      return answer(pieces);
    },
  });
}

const one = (piece: Result<TraceCall>): Result<readonly TraceCall[]> =>
  piece.ok ? ok([piece.value]) : piece;
const nameOf = ({ id, trace_id, started_at }: TraceCall): JsonObject =>
  started_at === null ? {} : { id, trace_id };

const start = logging(
  (body, { newId }) => one(readStart(body, ["body"], newId)),
  ([piece]) => nameOf(piece!),
);
const end = logging(
  (body) => one(readEnd(body, ["body"])),
  () => ({}),
);
const complete = logging(readCompletes, () => ({}));

/** A route that stores a table that was read whole. */
const keepingTable = (read: RouteParts<Parameters<typeof createTable>[1]>["read"]): Route =>
  route({
    read,
    projects: projectOfQuery,
    answer: async (table, { stores }) => {
      await createTable(stores.tables, table);
      return { digest: table.digest, row_digests: table.rowDigests };
    },
  });

/** Whether references into a project are followed: access to one project must not reach into another. */
const allowedTo =
  ({ principal }: RouteContext) =>
  (id: string): boolean => {
    const [entity = "", project = ""] = id.split("/");
    return principal.allows(entity, project);
  };

const writing = ({ now, newId, principal }: RouteContext) => ({
  now: now(),
  newId,
  user: principal.id,
});

/** The handlers of operations with a JSON body, by ID. */
export const ROUTES: Readonly<Record<string, Route>> = {
  weaveCallRead: route({
    read: readCallRead,
    projects: projectOf,
    answer: async ({ project_id, id, include_costs }, { stores, pricesIn }) => {
      const [call] = await stores.calls.get(project_id, [id]);
      if (call?.started_at == null) return { call: null };
      const view = viewCall(call);
      if (include_costs !== true) return { call: view };
      return { call: withCosts(await pricesIn(project_id), view) };
    },
  }),
  weaveCallsStreamQuery: route({
    read: readCallsQuery,
    projects: projectOfQuery,
    answer: async (query, context) => {
      const { stores, reading, pricesIn } = context;
      const calls = queryCalls(stores, query, { ...reading, allowed: allowedTo(context) });
      if (!query.withCosts) return jsonLines(calls, reading);
      return jsonLines(pricedCalls(calls, await pricesIn(query.project)), reading);
    },
  }),
  weaveCallsQueryStats: route({
    read: readCallsCount,
    projects: projectOfQuery,
    answer: async (query, context) => ({
      count: await countCalls(context.stores, query, { ...context.reading, allowed: allowedTo(context) }),
    }),
  }),
  weaveObjRead: route({
    read: readObjectRead,
    projects: projectOf,
    answer: async (read, { stores }) => {
      const obj = await readObject(stores.objects, read);
      if (obj === undefined) return undefined;
      if (obj["deleted_at"] === null) return { obj };
      // Clients recognise deleted objects by this key.
      return Response.json(
        { reason: "the object was deleted", deleted_at: obj["deleted_at"] },
        { status: 404 },
      );
    },
  }),
  weaveObjsQuery: route({
    read: readObjectsQuery,
    projects: projectOf,
    answer: async (query, { stores, reading }) => ({
      objs: await queryObjects(stores.objects, query, reading),
    }),
  }),
  weaveTableQuery: route({
    read: readTableQuery,
    projects: projectOfQuery,
    answer: async (query, { stores, reading }) => {
      const rows = await queryTable(stores.tables, query, reading);
      return rows && { rows };
    },
  }),
  weaveTableQueryStats: route({
    read: readTableStats,
    projects: projectOf,
    answer: async (query, { stores, reading }) => {
      const [table] = await countRows(stores.tables, query, reading);
      return table && { count: table.count };
    },
  }),
  weaveTableQueryStatsBatch: route({
    read: readTableStatsBatch,
    projects: projectOf,
    answer: async (query, { stores, reading }) => ({
      tables: [...(await countRows(stores.tables, query, reading))].map((one) => ({ ...one })),
    }),
  }),
  weaveRefsReadBatch: route({
    read: readRefs,
    projects: () => [],
    answer: async (refs, context) => {
      const reading = { ...context.reading, allowed: allowedTo(context) };
      return { vals: await resolveRefs(context.stores, refs, reading) };
    },
  }),
  weaveFeedbackQuery: route({
    read: readFeedbackQuery,
    projects: projectOfQuery,
    answer: async (query, { stores, reading }) => ({
      ...(await queryFeedback(stores.feedback, query, reading)),
    }),
  }),
  weaveFileContent: route({
    read: readFileRead,
    projects: projectOf,
    answer: async ({ project_id, digest }, { stores }) => {
      const pieces = await stores.files.get(project_id, digest);
      return pieces ? fileAnswer(pieces) : notFound("there is no file with this digest");
    },
  }),
  weaveCallStart: start,
  weaveCallEnd: end,
  weaveCallUpsertBatch: logging(
    (body, { newId }) => readBatch(body, newId),
    (pieces) => ({ res: pieces.map(nameOf) }),
  ),
  weaveCallUpdate: logging(
    (body, { now }) => one(readUpdate(body, ["body"], now())),
    () => ({}),
  ),
  weaveV2EntityProjectCallStart: start,
  weaveV2EntityProjectCallEnd: end,
  weaveV2EntityProjectCallsComplete: complete,
  weaveCallsDelete: route({
    read: readCallDeletion,
    projects: projectOf,
    answer: async ({ project_id, call_ids }, { stores, now, reading }) => ({
      num_deleted: await withDeletionDeadline(reading, (reading) =>
        deleteCalls(stores.calls, project_id, call_ids, now(), reading),
      ),
    }),
  }),
  weaveObjCreate: route({
    *read(body, { now }) {
      const version = readObjectCreate(body, now());
      // Computing the digest of a large value takes long, so other work runs before the value is serialized.
      yield;
      return version;
    },
    projects: projectOf,
    answer: async (version, { stores }) => {
      await stores.objects.put(version);
      return { digest: version.digest, object_id: version.object_id };
    },
  }),
  weaveObjDelete: route({
    read: readObjectRemoval,
    projects: projectOf,
    answer: async (removal, { stores, now }) => {
      const removed = await removeVersions(stores.objects, removal, now());
      return { num_deleted: removed.length, deleted_versions: removed.map((digest) => ({ digest })) };
    },
  }),
  weaveTableCreate: keepingTable(readTableCreate),
  weaveTableCreateFromDigests: keepingTable(readTableFromDigests),
  weaveTableUpdate: route({
    read: readTableUpdate,
    projects: projectOf,
    answer: async (update, { stores }) => {
      const updated = await updateTable(stores.tables, update, inTimeSlices);
      if (updated?.ok === false) return refuse(updated.issues);
      return updated && { digest: updated.value.digest, updated_row_digests: updated.value.changed };
    },
  }),
  weaveFeedbackCreate: route({
    read: (body, context) => readFeedback(body, ["body"], writing(context)),
    projects: projectOf,
    answer: async (feedback, { stores }) => {
      await stores.feedback.put([feedback]);
      return receiptOf(feedback);
    },
  }),
  weaveFeedbackBatchCreate: route({
    read: (body, context) => readFeedbackBatch(body, writing(context)),
    projects: projectsOf,
    answer: async (feedback, { stores }) => {
      await stores.feedback.put(feedback);
      return { res: feedback.map(receiptOf) };
    },
  }),
  weaveFeedbackReplace: route({
    read: (body, context) => readReplacement(body, writing(context)),
    projects: ({ feedback }) => projectOf(feedback),
    answer: async ({ feedback, replaced }, { stores }) => {
      // The new one first: a failure in between leaves both, never none.
      await stores.feedback.put([feedback]);
      if (replaced !== feedback.id) await stores.feedback.remove(feedback.project_id, [replaced]);
      return receiptOf(feedback);
    },
  }),
  weaveFeedbackPurge: route({
    read: readFeedbackPurge,
    projects: projectOfQuery,
    answer: async (query, { stores }) => {
      await purgeFeedback(stores.feedback, query);
      return {};
    },
  }),
  weaveCostCreate: route({
    read: (body, context) => readCosts(body, writing(context)),
    projects: projectOf,
    answer: async ({ costs }, { stores }) => {
      await stores.costs.put(costs);
      return { ids: costs.map(({ id, llm_id }) => [llm_id, id]) };
    },
  }),
  weaveCostQuery: route({
    read: readCostQuery,
    projects: projectOfQuery,
    answer: async (query, { stores, reading }) => ({
      results: await queryCosts(stores.costs, query, reading),
    }),
  }),
  weaveCostPurge: route({
    read: readCostPurge,
    projects: projectOfQuery,
    answer: async (query, { stores }) => {
      await purgeCosts(stores.costs, query);
      return {};
    },
  }),
};

async function fileAnswer(pieces: readonly Uint8Array[]): Promise<Response> {
  const type = "application/octet-stream";
  if (pieces.length > 1) return streamResponse(oneByOne(pieces), type);
  return new Response(pieces[0]?.slice(), { headers: { "content-type": type } });
}

async function* oneByOne<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
