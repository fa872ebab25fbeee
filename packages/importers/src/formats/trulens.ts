// Reads the table of TruLens' `get_records_and_feedback`, saved as CSV, JSON lines, JSON or Parquet.

import { fileStem } from "../files/import-file.ts";
import { isoTime, utcTime } from "../json/iso-time.ts";
import { at, type JsonObject, present, textAt } from "../json/json-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { recordsOf } from "../tables/records.ts";
import { evaluationEvent, type ScoreDirections, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

const CALLS = "_calls";

/** TruLens. */
export const trulens: Importer = {
  name: "trulens",
  title: "TruLens records and feedback",
  isTabular: true,
  recognises: ({ keys }: FileHead) =>
    ["", "*."].some((b) => ["app_version", "record_id", "record_json"].every((key) => keys.has(b + key))),
  async *read([file]) {
    const { records, areTexts } = await recordsOf(file!);
    const seen = new Set<string>();
    for await (const some of records)
      for (const record of some) {
        const [app, version] = [textAt(record, "app_name") ?? fileStem(file!), textAt(record, "app_version")];
        const id = `${app} ${version ?? ""}`;
        const feedback = feedbackIn(record);
        if (!seen.has(id)) {
          const ts = at(record, "ts");
          const evaluation = {
            ...{ id, name: version ?? app, model: version, dataset: app },
            startedAt: typeof ts === "number" ? isoTime(ts) : utcTime(textAt(record, "ts")),
            scoreTexts: areTexts ? ("cells" as const) : ("words" as const),
          };
          yield evaluationEvent(evaluation, directionsOf(record, feedback));
        }
        seen.add(id);
        yield trialEvent({
          evaluation: id,
          row: { input: at(record, "input") ?? null },
          output: at(record, "output") ?? null,
          scores: Object.fromEntries(feedback.map((name) => [name, record[name] ?? null])),
          latencySeconds: numberIn(record, "latency"),
          totalTokens: numberIn(record, "total_tokens"),
          attributes: present({ record_id: at(record, "record_id"), cost: numberIn(record, "total_cost") }),
        });
      }
  },
};

/** The names of the feedback in a record: each has the calls of its function in another column. */
function feedbackIn(record: JsonObject): readonly string[] {
  return Object.keys(record).filter((name) => Object.hasOwn(record, name + CALLS));
}

function directionsOf(record: JsonObject, feedback: readonly string[]): ScoreDirections {
  const stated = feedback.map(
    (name) => [name, String(record[`${name} direction`] ?? "").toLowerCase()] as const,
  );
  return new Map(
    stated.flatMap(([name, isHigher]) =>
      isHigher === "true" || isHigher === "false"
        ? [[name, isHigher === "true" ? ("higher" as const) : ("lower" as const)]]
        : [],
    ),
  );
}

/** The number in a column, which in CSV is a text. */
function numberIn(record: JsonObject, column: string): number | undefined {
  const text = textAt(record, column);
  const number = text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}
