// Stores the data of OpenTelemetry exporters: spans become calls, and those with evaluation results also trials.

import { bad, type Issue, type Json, type JsonObject, ok, type Result, type Steps } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { CallStore } from "../ports/call-store.ts";
import type { ReadContext } from "../ports/read-context.ts";
import type { TraceCall } from "../ports/trace-call.ts";
import { hasResults, isEvaluator, trialOfSpan } from "./evaluation-results.ts";
import { attributesOf, MOST_ATTRIBUTES, type OtlpSpan, readSpan, tooManyAttributes } from "./otlp-span.ts";
import { readResultRecord } from "./result-record.ts";
import { callOfSpan } from "./span-call.ts";

/** A parsed export request. */
export interface ReadSpans {
  /** The spans by project; undefined for spans that name none. */
  readonly spans: ReadonlyMap<string | undefined, readonly OtlpSpan[]>;
  /** The number of damaged spans or log records. */
  readonly rejected: number;
  /** The fault of the first damaged one. */
  readonly reason: string | undefined;
}

/**
 * Reads a request of spans in OTLP's JSON encoding. A span belongs to the project that `wandb.entity` and
 * `wandb.project` of its resource name; else to `project`. Damaged spans are rejected individually; the issue `type`
 * means that a list of objects is something else.
 */
export function readSpans(given: unknown, project: string | undefined): Steps<Result<ReadSpans>> {
  const names = ["resourceSpans", "scopeSpans", "spans"] as const;
  return readEach(given, project, { names, read: readSpan });
}

/**
 * Reads a request of log records in the same way. Evaluation results among them become spans of evaluators below the
 * spans that they are about; other records are skipped.
 */
export function readLogs(given: unknown, project: string | undefined): Steps<Result<ReadSpans>> {
  const names = ["resourceLogs", "scopeLogs", "logRecords"] as const;
  return readEach(given, project, { names, read: readResultRecord });
}

/** How to read the items of a request: an item is a span, a fault, or nothing to store. */
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

interface Located<Value> {
  readonly value: Value;
  readonly path: Issue["path"];
}

/** The objects of a list, with their paths. Notes the first path with something else. */
function* listIn(
  { value, path }: Located<unknown>,
  key: string,
  issues: Issue[],
): Generator<Located<JsonObject>, void> {
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

/** The object at this key; empty if there is none. Notes anything else in its place. */
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

/** Only the first fault: that is enough to fix an exporter. */
function noteFirst(issues: Issue[], path: Issue["path"], message: string): void {
  if (issues.length === 0) issues.push({ code: "type", path, message });
}

function projectOf(resource: JsonObject): string | undefined {
  const { "wandb.entity": entity, "wandb.project": project } = resource;
  return typeof entity === "string" && typeof project === "string" ? `${entity}/${project}` : undefined;
}

/** The number of calls whose children are read together. */
const BATCH = 500;

/**
 * Stores spans as calls of a project, with the trials they make up. Spans may arrive in any order and repeatedly: an
 * evaluator's span may arrive before the longer one it is about. `reading` lets other work run.
 */
export async function exportSpans(
  store: CallStore,
  project: string,
  spans: readonly OtlpSpan[],
  reading: ReadContext = {},
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
    // Its evaluators may have arrived before it.
    else if (hasResults(span) || isModelSpan(span)) scored.add(span.spanId);
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
  reading: ReadContext,
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
