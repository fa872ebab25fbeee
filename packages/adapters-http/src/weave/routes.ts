// The trace-server interface of Weave's clients: every route with a JSON body.

import { bad, type JsonObject, ok, type Result } from "@assay/base";
import { queryCalls, readBatch, readCallsQuery, type TraceCall } from "@assay/trace-core";
import {
  countCalls,
  countRows,
  createTable,
  deleteCalls,
  purgeFeedback,
  queryFeedback,
  queryObjects,
  queryTable,
  readCallDeletion,
  readCallRead,
  readCompletes,
  readEnd,
  readFeedback,
  readFeedbackBatch,
  readFeedbackQuery,
  readFileRead,
  readObject,
  readObjectCreate,
  readObjectRead,
  readObjectRemoval,
  readObjectsQuery,
  readRefs,
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
import { inSteps } from "../in-steps.ts";
import { streamed } from "../streamed.ts";
import { deletingInTime } from "./deleting-in-time.ts";
import { jsonLines } from "./json-lines.ts";
import { type Route, type RouteContext, type RouteParts, refuse, route } from "./route.ts";

const projectOf = ({ project_id }: { readonly project_id: string }) => [project_id];
const projectOfQuery = ({ project }: { readonly project: string }) => [project];
const projectsOf = (items: readonly { readonly project_id: string }[]) =>
  items.map(({ project_id }) => project_id);

/** A member of a body, which need not be an object. */
function member(body: unknown, key: string): unknown {
  return typeof body === "object" && body !== null
    ? (body as { readonly [key: string]: unknown })[key]
    : undefined;
}

/** A route that keeps pieces of calls and answers when they are durable. */
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
  (body, { newId }) => one(readStart(member(body, "start"), ["body", "start"], newId)),
  ([piece]) => nameOf(piece!),
);
const end = logging(
  (body) => one(readEnd(member(body, "end"), ["body", "end"])),
  () => ({}),
);
const complete = logging(
  (body) => readCompletes(member(body, "batch"), ["body", "batch"]),
  () => ({}),
);

/** A route that keeps a table that was read whole. */
const keepingTable = (read: RouteParts<Parameters<typeof createTable>[1]>["read"]): Route =>
  route({
    read,
    projects: projectOfQuery,
    answer: async (table, { stores }) => {
      await createTable(stores.tables, table);
      return { digest: table.digest, row_digests: table.rowDigests };
    },
  });

const feedbackContext = ({ now, newId, principal }: RouteContext) => ({
  now: now(),
  newId,
  user: principal.id,
});

/** What answers each operation with a JSON body, by its id. */
export const ROUTES: Readonly<Record<string, Route>> = {
  weaveCallRead: route({
    read: readCallRead,
    projects: projectOf,
    answer: async ({ project_id, id }, { stores }) => {
      const [call] = await stores.calls.get(project_id, [id]);
      return { call: call?.started_at == null ? null : viewCall(call) };
    },
  }),
  weaveCallsStreamQuery: route({
    read: readCallsQuery,
    projects: projectOfQuery,
    answer: (query, { stores, reading }) => jsonLines(queryCalls(stores.calls, query, reading), reading),
  }),
  weaveCallsQueryStats: route({
    read: readCallsQuery,
    projects: projectOfQuery,
    answer: async (query, { stores, reading }) => ({ count: await countCalls(stores.calls, query, reading) }),
  }),
  weaveObjRead: route({
    read: readObjectRead,
    projects: projectOf,
    answer: async (read, { stores }) => {
      const obj = await readObject(stores.objects, read);
      if (obj === undefined) return undefined;
      if (obj["deleted_at"] === null) return { obj };
      // Clients tell a deleted object from a missing one by this key.
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
    answer: async (refs, { stores, principal, reading }) => {
      const allowed = (id: string) => {
        const [entity = "", project = ""] = id.split("/");
        return principal.allows(entity, project);
      };
      return { vals: await resolveRefs(stores, refs, { ...reading, allowed }) };
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
      return pieces && fileAnswer(pieces);
    },
  }),
  weaveCallStart: start,
  weaveCallEnd: end,
  weaveCallUpsertBatch: logging(
    (body, { newId }) => readBatch(member(body, "batch"), ["body", "batch"], newId),
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
      num_deleted: await deletingInTime(reading, (reading) =>
        deleteCalls(stores.calls, project_id, call_ids, now(), reading),
      ),
    }),
  }),
  weaveObjCreate: route({
    *read(body, { now }) {
      const version = readObjectCreate(body, now());
      // The digest of a large value has taken its time: others run before it is written out.
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
      const updated = await updateTable(stores.tables, update, inSteps);
      if (updated?.ok === false) return refuse(updated.issues);
      return updated && { digest: updated.value.digest, updated_row_digests: updated.value.changed };
    },
  }),
  weaveFeedbackCreate: route({
    read: (body, context) => readFeedback(body, ["body"], feedbackContext(context)),
    projects: projectOf,
    answer: async (feedback, { stores }) => {
      await stores.feedback.put([feedback]);
      return receiptOf(feedback);
    },
  }),
  weaveFeedbackBatchCreate: route({
    read: (body, context) => readFeedbackBatch(body, feedbackContext(context)),
    projects: projectsOf,
    answer: async (feedback, { stores }) => {
      await stores.feedback.put(feedback);
      return { res: feedback.map(receiptOf) };
    },
  }),
  weaveFeedbackReplace: route({
    read: (body, context) => {
      const feedback = readFeedback(body, ["body"], feedbackContext(context));
      const replaced = member(body, "feedback_id");
      if (typeof replaced === "string")
        return feedback.ok ? ok({ feedback: feedback.value, replaced }) : feedback;
      const message = "must be a string";
      return bad([{ code: "string_type", path: ["body", "feedback_id"], message }]);
    },
    projects: ({ feedback }) => projectOf(feedback),
    answer: async ({ feedback, replaced }, { stores }) => {
      // The new one first: a failure in between leaves both, never none.
      await stores.feedback.put([feedback]);
      if (replaced !== feedback.id) await stores.feedback.remove(feedback.project_id, [replaced]);
      return receiptOf(feedback);
    },
  }),
  weaveFeedbackPurge: route({
    read: (body) => {
      const query = readFeedbackQuery(body);
      if (!query.ok || query.value.expr !== undefined) return query;
      return bad([
        { code: "missing", path: ["body", "query"], message: "a query is needed to say what to purge" },
      ]);
    },
    projects: projectOfQuery,
    answer: async (query, { stores }) => {
      await purgeFeedback(stores.feedback, query);
      return {};
    },
  }),
};

async function fileAnswer(pieces: readonly Uint8Array[]): Promise<Response> {
  const type = "application/octet-stream";
  if (pieces.length > 1) return streamed(oneByOne(pieces), type);
  return new Response(pieces[0]?.slice(), { headers: { "content-type": type } });
}

async function* oneByOne<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
