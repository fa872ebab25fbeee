// Removes the values of some fields from calls and dataset rows. Equal values get the same replacement and different
// values different ones, so that distinct rows stay distinct. A text removed from a trial's row is also removed from
// everything logged below the trial, because prompts contain their inputs.

import { randomBytes } from "node:crypto";
import type { Json } from "@assay/base";
import { rowIdOf } from "@assay/calls";
import { textDigest } from "@assay/calls/internal";
import { type FieldPath, getPath } from "@assay/query-lang";
import { mapTexts, withAt } from "./map-texts.ts";

/** A call as parsed from a line. */
export type LoggedCall = { readonly [key: string]: Json };

/** The replacement of each redacted text, longest text first. */
type StandIns = readonly (readonly [text: string, standIn: string])[];

/** A shorter text is replaced only if it is the whole text, because it may occur inside any other. */
const LEAST_PART = 4;

/** Redacts the content of a file. Pass its dataset rows first, then its calls, parents before children. */
export class Redaction {
  private readonly fields: readonly FieldPath[];
  // Salts new row IDs: an unsalted digest of the content would confirm a correct guess of it.
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

  /** Redacts the predict-and-score call of a trial. */
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

  /** Redacts a call below a trial; other calls stay unchanged. */
  call(call: LoggedCall): LoggedCall {
    const standIns = this.below.get(String(call["parent_id"])) ?? [];
    this.below.set(String(call["id"]), standIns);
    return this.texts(call, standIns);
  }

  /** The fields that did not occur. */
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

  /** `value`, a `part` of a trial, without the redacted fields of that part. Adds what it removes to `found`. */
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
