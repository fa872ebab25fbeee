// Reads the event log of OpenAI's `oaieval` command: JSON lines, with the events of different samples interleaved.

import type { Json } from "@assay/base";
import { bufferGroups } from "../collections/group-buffer.ts";
import { Unreadable } from "../files/errors.ts";
import { fileStem } from "../files/import-file.ts";
import { utcTime } from "../json/iso-time.ts";
import { jsonLines } from "../json/json-lines.ts";
import { at, membersAt, numberAt, present, textAt, textsAt } from "../json/json-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { totalOf } from "../trials/measured.ts";
import type { Importer } from "./importer.ts";

/** oaieval. */
export const oaieval: Importer = {
  name: "oaieval",
  title: "oaieval log",
  recognises: ({ keys }: FileHead) => keys.has("spec.completion_fns") && keys.has("spec.eval_name"),
  async *read([file]) {
    let spec: Json | undefined;
    let report: Json | undefined;
    for await (const line of jsonLines(file!)) {
      spec ??= at(line, "spec");
      report ??= at(line, "final_report");
      if (spec !== undefined && report !== undefined) break;
    }
    const id = textAt(spec, "run_id") ?? fileStem(file!);
    const task = textAt(spec, "eval_name") ?? "oaieval";
    const models = textsAt(spec, "completion_fns").join(", ");
    yield evaluationEvent({
      id,
      name: task,
      model: models === "" ? undefined : models,
      dataset: task,
      // Milliseconds suffice.
      startedAt: utcTime(
        textAt(spec, "created_at")
          ?.replace(" ", "T")
          .replace(/(\.\d{3})\d+/, "$1"),
      ),
      attributes: present({ run_id: id, final_report: report }),
    });
    const samples = bufferGroups(
      () => jsonLines(file!),
      (line) => (textAt(line, "type") === undefined ? undefined : textAt(line, "sample_id")),
    );
    for await (const events of samples) yield trialOf(events, id);
  },
};

function trialOf(events: readonly Json[], evaluation: string): ImportEvent {
  const dataOf = (type: string) =>
    events.filter((event) => at(event, "type") === type).map((event) => at(event, "data"));
  const samplings = dataOf("sampling");
  const [match] = dataOf("match");
  const metrics = dataOf("metrics").flatMap((data) => membersAt(data));
  const [error] = dataOf("error");
  const prompt = at(samplings[0], "prompt") ?? null;
  if (samplings.length === 0 && match === undefined && metrics.length === 0 && error === undefined) {
    throw new Unreadable(`sample ${textAt(events[0], "sample_id")} has no known event`);
  }
  const tokens = samplings.flatMap((data) => numberAt(data, "usage", "total_tokens") ?? []);
  const correct = at(match, "correct");
  const scored = correct !== undefined || metrics.length > 0;
  return trialEvent({
    evaluation,
    row: present({ prompt, expected: at(match, "expected") ?? at(match, "options") }),
    output: sampledOf(at(samplings.at(-1), "sampled")) ?? at(match, "sampled") ?? null,
    scores: present({
      match: correct,
      ...Object.fromEntries(
        metrics.filter(([, value]) => typeof value === "number" || typeof value === "boolean"),
      ),
    }),
    error:
      error === undefined
        ? scored
          ? undefined
          : "the sample has no result"
        : (textAt(error, "message") ?? textAt(error, "error") ?? JSON.stringify(error)),
    totalTokens: totalOf(tokens),
    attributes: present({ sample_id: at(events[0]!, "sample_id"), picked: at(match, "picked") ?? undefined }),
  });
}

function sampledOf(sampled: Json | undefined): Json | undefined {
  return Array.isArray(sampled) && sampled.length === 1 ? sampled[0] : sampled;
}
