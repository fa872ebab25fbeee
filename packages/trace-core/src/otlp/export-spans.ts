// Takes what an OpenTelemetry exporter sends: spans become calls, and those with evaluation results trials as well.

import { bad, type Issue, type Json, type JsonObject, ok, type Result, type Steps } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { CallStore } from "../ports/call-store.ts";
import type { Reading } from "../reading.ts";
import type { TraceCall } from "../trace-call.ts";
import { isEvaluator, saysResults, trialOfSpan } from "./evaluation-results.ts";
import { attributesOf, MOST_ATTRIBUTES, type OtlpSpan, readSpan, tooManyAttributes } from "./otlp-span.ts";
import { readResultRecord } from "./result-record.ts";
import { callOfSpan } from "./span-call.ts";

/** A request of an exporter, read. */
export interface ReadSpans {
  /** The spans by project; undefined for spans that name none. */
  readonly spans: ReadonlyMap<string | undefined, readonly OtlpSpan[]>;
  /** How many spans, or log records, are damaged. */
  readonly rejected: number;
  /** What is wrong with the first of them. */
  readonly reason: string | undefined;
}

/**
 * Reads a request of spans in OTLP's JSON encoding. The project of a span is that of its resource, which
 * `wandb.entity` and `wandb.project` name; else `project`. A damaged span is rejected by itself; the issue `type`
 * tells where lists of objects are something else.
 */
export function readSpans(given: unknown, project: string | undefined): Steps<Result<ReadSpans>> {
  const names = ["resourceSpans", "scopeSpans", "spans"] as const;
  return readEach(given, project, { names, read: readSpan });
}

/**
 * Reads a request of log records, the same. The evaluation results among them become spans of evaluators below the spans
 * that they are about; all others are passed over.
 */
export function readLogs(given: unknown, project: string | undefined): Steps<Result<ReadSpans>> {
  const names = ["resourceLogs", "scopeLogs", "logRecords"] as const;
  return readEach(given, project, { names, read: readResultRecord });
}

/** What a request holds, and how one of it is read: a span, what is wrong with it, or nothing to keep. */
interface Signal {
  readonly names: readonly [resources: string, scopes: string, items: string];
  readonly read: (
    one: JsonObject,
    from: { readonly resource: JsonObject; readonly scope: string | null },
  ) => OtlpSpan | string | undefined;
}

function* readEach(
  given: unknown,
  project: string | undefined,
  { names: [resources, scopes, items], read }: Signal,
): Steps<Result<ReadSpans>> {
  const spans = new Map<string | undefined, OtlpSpan[]>();
  let rejected = 0;
  let reason: string | undefined;
  const issues: Issue[] = [];
  for (const { value: of, path: ofPath } of listIn({ value: given, path: [] }, resources, issues)) {
    const { attributes } = objectIn(of, "resource", { path: ofPath, issues });
    if (attributes != null && !Array.isArray(attributes))
      noteFirst(issues, [...ofPath, "resource", "attributes"], "must be a list");
    if (tooManyAttributes([attributes])) {
      const message = `has at most ${MOST_ATTRIBUTES} attributes`;
      noteFirst(issues, [...ofPath, "resource", "attributes"], message);
      continue;
    }
    const resource = attributesOf(attributes);
    const named = projectOf(resource) ?? project;
    const own = spans.get(named) ?? [];
    for (const { value: inScope, path } of listIn({ value: of, path: ofPath }, scopes, issues)) {
      const { name } = objectIn(inScope, "scope", { path, issues });
      if (name != null && typeof name !== "string")
        noteFirst(issues, [...path, "scope", "name"], "must be a string");
      const from = { resource, scope: typeof name === "string" ? name : null };
      for (const { value: one } of listIn({ value: inScope, path }, items, issues)) {
        yield;
        const span = read(one, from);
        if (typeof span === "object") own.push(span);
        else if (span !== undefined) {
          rejected++;
          reason ??= span;
        }
      }
    }
    if (own.length > 0) spans.set(named, own);
  }
  return issues.length > 0 ? bad(issues) : ok({ spans, rejected, reason });
}

interface Placed<Value> {
  readonly value: Value;
  readonly path: Issue["path"];
}

/** The objects of a list, and where they are. Notes the first place where there is another thing. */
function* listIn(
  { value, path }: Placed<unknown>,
  key: string,
  issues: Issue[],
): Generator<Placed<JsonObject>, void> {
  const note = (at: Issue["path"], message: string) => noteFirst(issues, at, message);
  if (!isJsonObject(value)) return note(path, "must be an object");
  const list = value[key] ?? [];
  if (!Array.isArray(list)) return note([...path, key], "must be a list");
  for (const [i, one] of list.entries()) {
    const at = [...path, key, i];
    if (isJsonObject(one as Json)) yield { value: one as JsonObject, path: at };
    else note(at, "must be an object");
  }
}

/** The object of this key; an empty one when there is none. Notes another thing in its place. */
function objectIn(
  value: JsonObject,
  key: string,
  { path, issues }: { readonly path: Issue["path"]; readonly issues: Issue[] },
): JsonObject {
  const one = value[key] ?? {};
  if (isJsonObject(one)) return one;
  noteFirst(issues, [...path, key], "must be an object");
  return {};
}

/** Only the first fault: it is enough to fix an exporter. */
function noteFirst(issues: Issue[], path: Issue["path"], message: string): void {
  if (issues.length === 0) issues.push({ code: "type", path, message });
}

function projectOf(resource: JsonObject): string | undefined {
  const { "wandb.entity": entity, "wandb.project": project } = resource;
  return typeof entity === "string" && typeof project === "string" ? `${entity}/${project}` : undefined;
}

/** Calls whose children are read at once. */
const BATCH = 500;

/**
 * Keeps spans as calls of a project, and the trials that they make. Spans may come in any order and again: an
 * evaluator's before the one that it is about, which ends later. `reading` says how others are let run meanwhile.
 */
export async function exportSpans(
  store: CallStore,
  project: string,
  spans: readonly OtlpSpan[],
  reading: Reading = {},
): Promise<void> {
  const calls: TraceCall[] = [];
  for (const span of spans) {
    calls.push(callOfSpan(project, span));
    await reading.pause?.();
  }
  await store.put(calls, reading);
  const scored = new Set<string>();
  for (const span of spans) {
    if (isEvaluator(span) && span.parentId !== null) scored.add(span.parentId);
    // Its evaluators may have come before it.
    else if (saysResults(span) || isModelSpan(span)) scored.add(span.spanId);
  }
  const ids = [...scored];
  for (let i = 0; i < ids.length; i += BATCH)
    await putTrials(store, project, ids.slice(i, i + BATCH), reading);
}

function isModelSpan({ attributes }: OtlpSpan): boolean {
  return Object.keys(attributes).some((name) => name.startsWith("gen_ai."));
}

async function putTrials(
  store: CallStore,
  project: string,
  ids: readonly string[],
  reading: Reading,
): Promise<void> {
  const calls = (await store.get(project, ids)).filter((call) => call?.started_at != null);
  const children = new Map<string, TraceCall[]>();
  for await (const some of store.scan(project, { parentIds: ids })) {
    for (const child of some)
      children.set(child.parent_id!, [...(children.get(child.parent_id!) ?? []), child]);
  }
  const made = calls.flatMap((call) => trialOfSpan(call!, children.get(call!.id) ?? []) ?? []);
  if (made.length === 0) return;
  const roots = new Map(made.map(({ root }) => [root.id, root]));
  const known = await store.get(project, [...roots.keys()]);
  const begun = [...roots.values()].filter((_, i) => known[i] === undefined);
  await store.put([...begun, ...made.map(({ trial }) => trial)], reading);
}
