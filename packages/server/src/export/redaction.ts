// Takes the values of some fields out of calls and dataset rows. Equal values become the same stand-in, and different
// ones different ones, so that rows stay the rows that they were. A text that is taken out of a trial's row is taken out
// of everything that was logged below the trial too: prompts have their inputs in them.

import { randomBytes } from "node:crypto";
import type { Json } from "@assay/base";
import { rowIdOf } from "@assay/calls";
import { textDigest } from "@assay/calls/internal";
import { type FieldPath, getPath } from "@assay/query-lang";
import { mapTexts, withAt } from "./map-texts.ts";

/** A call as a line has it. */
export type LoggedCall = { readonly [key: string]: Json };

/** What stands in for each text that is taken out, the longest first. */
type StandIns = readonly (readonly [text: string, standIn: string])[];

/** A shorter text is redacted only where it is the whole text: it may be part of any other. */
const LEAST_PART = 4;

/** Redacts a file's content: its dataset rows first, then its calls, each after the call above it. */
export class Redaction {
  private readonly fields: readonly FieldPath[];
  // A row's id is a digest of its content: it would confirm a correct guess of the content.
  private readonly salt = randomBytes(16).toString("hex");
  private readonly touched = new Set<FieldPath>();
  private readonly numbers = new Map<string, number>();
  private readonly rows = new Map<string, StandIns>();
  private readonly below = new Map<string, StandIns>();

  constructor(fields: readonly FieldPath[]) {
    this.fields = fields;
  }

  /** A dataset row, `{digest, val, ref?}`. */
  row(row: LoggedCall): LoggedCall {
    const digest = String(row["digest"]);
    const found: [string, string][] = [];
    const val = this.without(row["val"] ?? null, "inputs", found);
    const renamed: StandIns = [[digest, this.newDigest(digest)]];
    this.rows.set(digest, ordered([...found, ...renamed]));
    const { ref } = row;
    return {
      ...row,
      digest: renamed[0]![1],
      val: replaced(val, ordered(found)),
      ...(ref !== undefined && { ref: replaced(ref, renamed) }),
    };
  }

  /** A trial's own call. */
  trial(call: LoggedCall): LoggedCall {
    const found: [string, string][] = [];
    const inputs = call["inputs"] as LoggedCall | null;
    const example = inputs?.["example"] ?? null;
    const ofRow = this.rows.get(rowIdOf(example) ?? "") ?? [];
    const redacted =
      rowIdOf(example) === undefined ? this.without(example, "inputs", found) : replaced(example, ofRow);
    let output = call["output"] ?? null;
    for (const [part, key] of [
      ["outputs", "output"],
      ["scores", "scores"],
    ] as const) {
      const value = getPath(output, [key]);
      const without = this.without(value, part, found);
      if (without !== value) output = withAt(output, [key], without);
    }
    const standIns = ordered([...ofRow, ...found]);
    this.below.set(String(call["id"]), standIns);
    return this.texts(
      { ...call, ...(inputs !== null && { inputs: { ...inputs, example: redacted } }), output },
      standIns,
    );
  }

  /** A call below a trial; as it is where it is below none. */
  call(call: LoggedCall): LoggedCall {
    const standIns = this.below.get(String(call["parent_id"])) ?? [];
    this.below.set(String(call["id"]), standIns);
    return this.texts(call, standIns);
  }

  /** The fields that nothing had. */
  untouched(): readonly FieldPath[] {
    return this.fields.filter((field) => !this.touched.has(field));
  }

  private texts(call: LoggedCall, standIns: StandIns): LoggedCall {
    if (standIns.length === 0) return call;
    const { id, parent_id, trace_id, ...rest } = call;
    return {
      ...(replaced(rest, standIns) as LoggedCall),
      ...{ id: id!, parent_id: parent_id! },
      trace_id: trace_id!,
    };
  }

  /** `value`, a `part` of a trial, without the fields of that part; what was taken out is added to `found`. */
  private without(value: Json, part: string, found: [string, string][]): Json {
    let left = value;
    for (const field of this.fields) {
      const [first, ...path] = field;
      if (first !== part) continue;
      const secret = getPath(value, path);
      if (secret === null) continue;
      this.touched.add(field);
      left = withAt(left, path, this.standIn(secret));
      for (const text of textsIn(secret)) found.push([text, this.standIn(text)]);
    }
    return left;
  }

  private standIn(secret: Json): string {
    const key = JSON.stringify(secret);
    const number = this.numbers.get(key) ?? this.numbers.size + 1;
    this.numbers.set(key, number);
    return `[redacted ${number}]`;
  }

  private newDigest(digest: string): string {
    return textDigest(`${this.salt} ${digest}`);
  }
}

function ordered(standIns: readonly (readonly [string, string])[]): StandIns {
  return [...new Map(standIns.filter(([text]) => text !== ""))].sort(([a], [b]) => b.length - a.length);
}

function replaced(value: Json, standIns: StandIns): Json {
  if (standIns.length === 0) return value;
  return mapTexts(value, (given) => {
    let text = given;
    for (const [secret, standIn] of standIns) {
      if (text === secret) return standIn;
      if (secret.length >= LEAST_PART && text.includes(secret)) text = text.replaceAll(secret, standIn);
    }
    return text;
  });
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((item) => textsIn(item as Json));
}
