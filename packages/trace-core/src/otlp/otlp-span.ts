// Reads spans in OTLP's JSON encoding one by one: a damaged span is refused, and the others are kept.

import type { Json, JsonObject } from "@assay/base";
import { type Fields, isJsonObject } from "@assay/base/internal";

/** A named event during a span. */
interface OtlpEvent {
  /** Its name. */
  readonly name: string;
  /** When it happened; null if the span has no time for it. */
  readonly time: string | null;
  /** Its attributes. */
  readonly attributes: JsonObject;
}

/** Another span that a span belongs with, such as the one that queued its work. */
interface OtlpLink {
  /** The trace of the other span. */
  readonly trace_id: string;
  /** The other span. */
  readonly span_id: string;
  /** The attributes of the link. */
  readonly attributes: JsonObject;
}

/** A parsed span. Times are ISO 8601. */
export interface OtlpSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits; for a result from a log record, a digest of the record. */
  readonly spanId: string;
  /** The parent span; null for the root of its trace. */
  readonly parentId: string | null;
  /** Its name. */
  readonly name: string;
  /** OTLP's `SpanKind`. */
  readonly kind: number;
  /** When it started. */
  readonly startedAt: string;
  /** When it ended; null while it runs. */
  readonly endedAt: string | null;
  /** Its attributes. */
  readonly attributes: JsonObject;
  /** Its events, in order. */
  readonly events: readonly OtlpEvent[];
  /** Its links, in order. */
  readonly links: readonly OtlpLink[];
  /** The error; null without one. */
  readonly error: string | null;
  /** The attributes of its resource, such as the service. */
  readonly resource: JsonObject;
  /** The library that created it. */
  readonly scope: string | null;
}

/** The most attributes of one span or resource, including those of its events and nested ones. */
export const MOST_ATTRIBUTES = 10_000;

/** Whether these lists of `{ key, value }` have more attributes than one span may have. */
export function tooManyAttributes(lists: readonly unknown[]): boolean {
  let left = MOST_ATTRIBUTES;
  const waiting = [...lists];
  for (let list = waiting.pop(); list !== undefined; list = waiting.pop()) {
    if (!Array.isArray(list)) continue;
    left -= list.length;
    if (left < 0) return true;
    for (const one of list) {
      // Pairs, and the values of lists, which may hold lists in turn.
      const value = isJsonObject(one) ? ("key" in one ? one["value"] : one) : undefined;
      if (!isJsonObject(value)) continue;
      for (const inner of [value["kvlistValue"], value["arrayValue"]])
        if (isJsonObject(inner)) waiting.push(inner["values"]);
    }
  }
  return false;
}

/** The fault of a span or record with too many attributes. */
export const TOO_MANY_ATTRIBUTES: string = `a span may have at most ${MOST_ATTRIBUTES} attributes, including those of its events and links`;

/** The attributes of a list of `{ key, value }`, by key. Anything else is left out. */
export function attributesOf(list: unknown): JsonObject {
  if (!Array.isArray(list)) return {};
  const pairs: [string, Json][] = [];
  for (const one of list) {
    const key = isJsonObject(one) ? one["key"] : undefined;
    if (typeof key === "string") pairs.push([key, anyValue((one as JsonObject)["value"])]);
  }
  return Object.fromEntries(pairs);
}

/** The value of an `AnyValue`. Integers arrive as texts; those that JavaScript cannot represent stay texts. */
function anyValue(value: Json | undefined): Json {
  if (!isJsonObject(value)) return null;
  if (typeof value["stringValue"] === "string") return value["stringValue"];
  if (typeof value["boolValue"] === "boolean") return value["boolValue"];
  if (value["intValue"] !== undefined) return wholeNumber(value["intValue"]);
  if (value["doubleValue"] !== undefined) return doubleOf(value["doubleValue"]);
  if (isJsonObject(value["arrayValue"])) {
    const { values } = value["arrayValue"] as { readonly values?: unknown };
    return Array.isArray(values) ? values.map(anyValue) : [];
  }
  if (isJsonObject(value["kvlistValue"])) return attributesOf(value["kvlistValue"]["values"]);
  return typeof value["bytesValue"] === "string" ? value["bytesValue"] : null;
}

function wholeNumber(value: Json): Json {
  // OTLP's JSON has whole numbers as texts.
  if (typeof value !== "string" && typeof value !== "number") return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function doubleOf(value: Json): Json {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const number = Number(value);
  // JSON has neither infinities nor NaN.
  return Number.isFinite(number) ? number : null;
}

/** A span, or its fault. */
export function readSpan(
  given: unknown,
  from: { readonly resource: JsonObject; readonly scope: string | null },
): OtlpSpan | string {
  if (!isJsonObject(given)) return "a span must be an object";
  const traceId = hexOf(given["traceId"], 32);
  const spanId = hexOf(given["spanId"], 16);
  if (traceId === undefined) return "a trace id must be 16 bytes, not all zero";
  if (spanId === undefined) return "a span id must be 8 bytes, not all zero";
  const startedAt = timeOf(given["startTimeUnixNano"]);
  if (startedAt === null) return "a span must have a start time";
  for (const name of ["attributes", "events", "links"])
    if (given[name] != null && !Array.isArray(given[name])) return `the ${name} of a span must be a list`;
  const [events, links] = [objectsOf(given["events"]), objectsOf(given["links"])];
  const lists = [...events, ...links].map(({ attributes }) => attributes);
  if (tooManyAttributes([given["attributes"], events, links, ...lists])) return TOO_MANY_ATTRIBUTES;
  return {
    traceId,
    spanId,
    parentId: hexOf(given["parentSpanId"], 16) ?? null,
    name: typeof given["name"] === "string" ? given["name"] : "",
    kind: typeof given["kind"] === "number" ? given["kind"] : 0,
    startedAt,
    endedAt: timeOf(given["endTimeUnixNano"]),
    attributes: attributesOf(given["attributes"]),
    events: events.map(({ name, timeUnixNano, attributes }) => ({
      name: typeof name === "string" ? name : "",
      time: timeOf(timeUnixNano),
      attributes: attributesOf(attributes),
    })),
    links: links.map(({ traceId, spanId, attributes }) => ({
      trace_id: hexOf(traceId, 32) ?? "",
      span_id: hexOf(spanId, 16) ?? "",
      attributes: attributesOf(attributes),
    })),
    error: errorOf(given["status"]),
    ...from,
  };
}

function objectsOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** An ID with this many hexadecimal digits; undefined if it is not one. */
export function hexOf(id: unknown, digits: number): string | undefined {
  if (typeof id !== "string" || id.length !== digits || !/^[0-9a-f]+$/i.test(id) || /^0+$/.test(id))
    return undefined;
  return id.toLowerCase();
}

const MICROSECONDS = 1000n;
const DIGITS = /^\d{1,20}$/;

/** The time of nanoseconds since 1970, to the microsecond; null without one. */
export function timeOf(nanoseconds: unknown): string | null {
  const text = typeof nanoseconds === "number" ? String(nanoseconds) : nanoseconds;
  if (typeof text !== "string" || !DIGITS.test(text) || /^0+$/.test(text)) return null;
  const micros = Number(BigInt(text) / MICROSECONDS);
  const date = new Date(Math.floor(micros / 1000));
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return null;
  return `${date.toISOString().slice(0, -1)}${String(micros % 1000).padStart(3, "0")}Z`;
}

const ERROR = 2;

function errorOf(status: unknown): string | null {
  if (!isJsonObject(status) || (status["code"] !== ERROR && status["code"] !== "STATUS_CODE_ERROR"))
    return null;
  return typeof status["message"] === "string" && status["message"] !== "" ? status["message"] : "error";
}
