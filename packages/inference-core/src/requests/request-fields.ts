// Checks the fields that several endpoints of the completion format share.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { type Fields, isJsonObject } from "@assay/base/internal";

const MAX_CHOICES = 128;
const MAX_STOPS = 64;
/** Longer than any name of a model with its entity, project and version. */
const LONGEST_MODEL = 1024;
/** The most issues to report. */
const MOST_ISSUES = 100;

/** Why a value is invalid, or undefined. */
export type Check = (value: unknown) => string | undefined;

export const isBoolean: Check = (value) => (typeof value === "boolean" ? undefined : "must be true or false");
export const isText: Check = (value) => (typeof value === "string" ? undefined : "must be text");
const isObject: Check = (value) => (isJsonObject(value) ? undefined : "must be an object");
export const isList: Check = (value) => (Array.isArray(value) ? undefined : "must be a list");

function isNumber(least: number, most: number): Check {
  return (value) =>
    typeof value === "number" && value >= least && value <= most
      ? undefined
      : `must be a number from ${least} to ${most}`;
}

export function isInteger(least: number, most: number = Number.MAX_SAFE_INTEGER): Check {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : `must be a whole number ${range}`;
}

// Clients draw seeds from 64 bits. Rounding to a double maps the same seed to the same value.
const isSeed: Check = (value) => (Number.isInteger(value) ? undefined : "must be a whole number");

const isStop: Check = (value) => {
  const stops = typeof value === "string" ? [value] : value;
  const fine =
    Array.isArray(stops) && stops.length <= MAX_STOPS && stops.every((stop) => typeof stop === "string");
  return fine ? undefined : `must be a text, or a list of at most ${MAX_STOPS} texts`;
};

/** Fields by name, with the checks of their values. */
export type FieldChecks = readonly (readonly [name: string, check: Check])[];

/** The fields for sampling tokens and sending the answer. */
export const SAMPLING_FIELDS: FieldChecks = [
  ["n", isInteger(1, MAX_CHOICES)],
  ["stream", isBoolean],
  ["stream_options", isObject],
  ["temperature", isNumber(0, 2)],
  ["top_p", isNumber(0, 1)],
  ["presence_penalty", isNumber(-2, 2)],
  ["frequency_penalty", isNumber(-2, 2)],
  ["seed", isSeed],
  ["stop", isStop],
  ["logit_bias", isObject],
  ["user", isText],
];

/** Notes an issue, if there is one; false if the limit of issues is reached. */
export type Note = (path: Issue["path"], message: string | undefined, code?: string) => boolean;

/** Notes issues in `issues`, up to the limit. */
function noteIn(issues: Issue[]): Note {
  return (path, message, code = "invalid") => {
    if (message !== undefined && issues.length < MOST_ISSUES) issues.push({ code, path, message });
    return issues.length < MOST_ISSUES;
  };
}

/** Checks the model that a request names. */
function noteModel(raw: Fields, note: Note): void {
  const model = fieldValue(raw, "model");
  if (model === undefined) note(["model"], "a model is required", "missing");
  else if (typeof model !== "string" || model === "") note(["model"], "must be a model's name");
  else if (model.length > LONGEST_MODEL)
    note(["model"], `must be a model's name, of at most ${LONGEST_MODEL} characters`);
}

/** Adds issues about the present `fields` of a request. */
function noteFields(raw: Fields, fields: FieldChecks, note: Note): void {
  for (const [name, check] of fields) {
    const value = fieldValue(raw, name);
    if (value !== undefined) note([name], check(value));
  }
  const options = fieldValue(raw, "stream_options");
  if (!isJsonObject(options)) return;
  for (const name of ["include_usage", "continuous_usage_stats"]) {
    const value = fieldValue(options, name);
    if (value !== undefined) note(["stream_options", name], isBoolean(value));
  }
}

/**
 * The request in `raw`, or all of its issues: of its model, of the `fields` that are present, and those that `more`
 * notes about the fields without an issue. Unknown fields are always valid.
 */
export function readRequest<Body>(
  raw: unknown,
  fields: FieldChecks,
  more: (valid: Fields, note: Note) => void,
): Result<Body> {
  if (!isJsonObject(raw)) return bad([{ code: "invalid", path: [], message: "a request must be an object" }]);
  const issues: Issue[] = [];
  const note = noteIn(issues);
  noteModel(raw, note);
  noteFields(raw, fields, note);
  // Checks that compare fields only receive those with valid values.
  const invalid = new Set(issues.map(({ path }) => path[0]));
  more(Object.fromEntries(Object.entries(raw).filter(([name]) => !invalid.has(name))), note);
  // Each field used here was checked above.
  return issues.length === 0 ? ok(raw as unknown as Body) : bad(issues);
}

/** A field's value; undefined when it is absent or null. */
export function fieldValue(record: Fields, name: string): unknown {
  return Object.hasOwn(record, name) ? (record[name] ?? undefined) : undefined;
}
