// A trial that is an object, as the kinds of files give it, to be taken as JSON.

import { jsonText } from "@assay/base";
import { numberText } from "@assay/base/internal";
import type { ImportedTrial, TrialSource } from "./importer.ts";
import type { JsonObject } from "./json-text.ts";
import { type Member, PLACE, ROW, type TrialText } from "./trial-text.ts";

/** A trial that is an object. */
export class TrialObject implements TrialSource {
  private readonly trial: ImportedTrial;

  constructor(trial: ImportedTrial) {
    this.trial = trial;
  }

  get evaluation(): string {
    return this.trial.evaluation;
  }

  get repetition(): number | undefined {
    return this.trial.repetition;
  }

  get scores(): JsonObject {
    return this.trial.scores;
  }

  get error(): string | undefined {
    return this.trial.error;
  }

  told(): ImportedTrial {
    return this.trial;
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

/** A number as `jsonText` writes it where it is a member of an object. */
function numberIn(trial: ImportedTrial, name: string, value: number): string {
  return numberText(trial as unknown as JsonObject, name) ?? JSON.stringify(value);
}
