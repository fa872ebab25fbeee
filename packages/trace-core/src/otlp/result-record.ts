// An evaluation result in a log record, which is how OpenTelemetry's SDKs send events. It is read as an evaluator's
// span below the span that it names, in either order of arrival.

import type { JsonObject } from "@assay/base";
import { textDigest } from "@assay/calls/internal";
import { EVENT, NAME } from "./evaluation-results.ts";
import {
  attributesOf,
  hexOf,
  type OtlpSpan,
  TOO_MANY_ATTRIBUTES,
  timeOf,
  tooManyAttributes,
} from "./otlp-span.ts";

/** A record as a span, or its fault; undefined if the record is not a result. */
export function readResultRecord(
  given: JsonObject,
  from: { readonly resource: JsonObject; readonly scope: string | null },
): OtlpSpan | string | undefined {
  if (tooManyAttributes([given["attributes"]])) return TOO_MANY_ATTRIBUTES;
  const attributes = attributesOf(given["attributes"]);
  if (given["eventName"] !== EVENT && attributes["event.name"] !== EVENT) return undefined;
  if (typeof attributes[NAME] !== "string") return `an evaluation result must have ${NAME}`;
  const at = timeOf(given["timeUnixNano"]) ?? timeOf(given["observedTimeUnixNano"]);
  if (at === null) return "an evaluation result must have a time";
  const traceId = hexOf(given["traceId"], 32);
  const about = hexOf(given["spanId"], 16);
  // Sending the same record again does not add a result.
  const id = textDigest(JSON.stringify(["otel result", traceId ?? null, about ?? null, at, attributes]));
  return {
    traceId: traceId ?? id,
    spanId: id,
    parentId: traceId === undefined ? null : (about ?? null),
    name: EVENT,
    kind: INTERNAL,
    startedAt: at,
    endedAt: at,
    attributes,
    events: [],
    links: [],
    error: null,
    ...from,
  };
}

/** OTLP's `SPAN_KIND_INTERNAL`. */
const INTERNAL = 1;
