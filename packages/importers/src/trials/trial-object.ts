// Converts a trial that an importer returns as an object to a source of JSON.

import { type Json, jsonText } from "@assay/base";
import { numberText } from "@assay/base/internal";
import { rowDigest } from "@assay/calls";
import { canonicalJson, textDigest } from "@assay/calls/internal";
import { getPath } from "@assay/query-lang";
import { readFieldPath } from "@assay/query-lang/internal";
import { Unreadable } from "../files/errors.ts";
import { at, type JsonObject } from "../json/json-text.ts";
import type { ImportedTrial, TrialRow, TrialSource } from "./imported-trial.ts";
import { type Member, PLACE, ROW, type TrialText } from "./trial-text.ts";

const encoder = new TextEncoder();

/** A trial that is an object. */
export class TrialObject implements TrialSource {
  readonly sameScores: number = -1;
  readonly evaluation: string;
  readonly repetition: number | undefined;
  readonly scores: JsonObject;
  readonly error: string | undefined;
  private readonly trial: ImportedTrial;

  constructor(trial: ImportedTrial) {
    const { evaluation, repetition, scores, error } = trial;
    [this.trial, this.evaluation, this.repetition] = [trial, evaluation, repetition];
    [this.scores, this.error] = [scores, error];
  }

  rowOf(rowKey: string | undefined): TrialRow {
    return trialRow(this.trial, rowKey);
  }

  write(text: TrialText, before: TrialText): void {
    const { trial } = this;
    for (const name of Object.keys(trial) as Member[]) {
      const value = trial[name];
      if (value === undefined) continue;
      const place = PLACE[name];
      if (typeof value !== "number" && before.trial?.[name] === value) {
        text.copyMember(place, before);
        continue;
      }
      text.open(place);
      if (typeof value === "number") text.text(numberIn(trial, name, value));
      else text.text(typeof value === "string" ? JSON.stringify(value) : jsonText(value));
      text.close(place);
    }
    text.trial = trial;
  }

  isSameRow(_: TrialText, { trial: before }: TrialText): boolean {
    return ROW.every((name) => this.trial[name] === before?.[name]);
  }
}

type RowIdentity = Pick<ImportedTrial, "row" | "rowKey" | "rowDigest">;

/** The identity of a trial's row, in every file. */
export function trialRow(trial: RowIdentity, rowKey: string | undefined): TrialRow {
  const content = rowDigest(trial.row);
  const digest = digestOf(trial, rowKey) ?? content;
  return { digest: encoder.encode(digest), content: encoder.encode(content) };
}

/** Undefined if the whole row identifies it. */
function digestOf(trial: RowIdentity, rowKey: string | undefined): string | undefined {
  if (rowKey !== undefined) return keyDigest(fieldOf(trial, rowKey));
  return trial.rowDigest ?? (trial.rowKey === undefined ? undefined : keyDigest(trial.rowKey));
}

function keyDigest(key: Json): string {
  return textDigest(`row ${canonicalJson(key)}`);
}

function fieldOf({ row }: RowIdentity, field: string): Json {
  const path = readFieldPath(field);
  const value = at(row, field) ?? (path.ok ? (at(row, ...path.value) ?? getPath(row, path.value)) : null);
  if (value !== null && value !== "") return typeof value === "number" ? String(value) : value;
  throw new Unreadable(`a row has no ${field} to identify it; it has ${Object.keys(row).join(", ")}`);
}

/** A number as `jsonText` writes it for a member of an object. */
function numberIn(trial: ImportedTrial, name: string, value: number): string {
  return numberText(trial as unknown as JsonObject, name) ?? JSON.stringify(value);
}
