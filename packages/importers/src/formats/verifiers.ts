// Reads results of verifiers: `results.jsonl` with the model in the `metadata.json` beside it, or `traces.jsonl`.

import type { Json } from "@assay/base";
import { groupBy } from "../collections/group-by.ts";
import { fileStem, folderOf, type ImportFile } from "../files/import-file.ts";
import { jsonDocument } from "../json/json-slices.ts";
import { at, listAt, membersAt, numberAt, present, textAt } from "../json/json-text.ts";
import { errorText } from "../scores/error-text.ts";
import { type FileHead, fileHead, hasKeys } from "../tables/file-head.ts";
import { recordsOf } from "../tables/records.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { secondsOf, totalOf } from "../trials/measured.ts";
import { isAsked, unaskedNote } from "./asked-scores.ts";
import { contentText } from "./content-text.ts";
import type { Importer } from "./importer.ts";
import { hasEpisodes, tracedTrials } from "./verifiers-traces.ts";

/** Metrics that count how an answer was made. */
const COUNTS = /^(?:num|total)_|_calls$/;

/** verifiers. */
export const verifiers: Importer = {
  name: "verifiers",
  title: "verifiers results",
  isTabular: true,
  recognises: (head: FileHead) =>
    isMetadata(head.keys) ||
    hasKeys(head.keys, "example_id", "prompt", "completion", "reward") ||
    hasEpisodes(head),
  units: (files) => [...groupBy(files, folderOf).values()],
  async *read(files, options) {
    let metadata: Json = null;
    const results: ImportFile[] = [];
    for (const file of files) {
      if (isMetadata((await fileHead(file)).keys)) metadata = await jsonDocument(file);
      else results.push(file);
    }
    if (results.length === 0) {
      const note = "only aggregates; vf-eval writes the answers with --save-results";
      yield { kind: "note", note: `${files[0]!.path}: ${note}` };
    }
    const counts = new Set<string>();
    const isScore = (metric: string): boolean => {
      const isCount = COUNTS.test(metric) && !isAsked(metric, options);
      if (isCount) counts.add(metric);
      return !isCount;
    };
    for (const file of results) {
      if (hasEpisodes(await fileHead(file))) {
        yield* tracedTrials(file, isScore);
        continue;
      }
      const dataset = textAt(metadata, "env_id");
      const id = file.path;
      yield evaluationEvent({
        ...{ id, name: dataset ?? fileStem(file), model: textAt(metadata, "model"), dataset },
        attributes: present({ metadata: metadata ?? undefined }),
      });
      for await (const some of (await recordsOf(file)).records)
        for (const record of some)
          yield rolloutTrial(
            record,
            id,
            membersAt(record, "metrics").filter(([name]) => isScore(name)),
          );
    }
    yield* unaskedNote(files[0]!.path, counts, options);
  },
};

function isMetadata(keys: ReadonlySet<string>): boolean {
  return ["env_id", "model", "rollouts_per_example", "avg_reward"].every((key) => keys.has(key));
}

function rolloutTrial(
  rollout: Json,
  evaluation: string,
  metrics: readonly (readonly [string, Json])[],
): ImportEvent {
  // An example's id is its place.
  const question = present({
    prompt: at(rollout, "prompt") ?? null,
    answer: at(rollout, "answer"),
    task: at(rollout, "task"),
  });
  const completion = listAt(rollout, "completion");
  const tokens = ["input_tokens", "output_tokens"].flatMap(
    (name) => numberAt(rollout, "token_usage", name) ?? [],
  );
  return trialEvent({
    evaluation,
    row: present({ ...question, info: at(rollout, "info") }),
    rowKey: question,
    output:
      completion.length === 1
        ? contentText(at(completion[0], "content") ?? null)
        : (at(rollout, "completion") ?? null),
    scores: { reward: at(rollout, "reward") ?? null, ...Object.fromEntries(metrics) },
    error: errorText(at(rollout, "error_chain") ?? at(rollout, "error")),
    latencySeconds:
      numberAt(rollout, "timing", "generation", "duration") ??
      secondsOf(numberAt(rollout, "timing", "generation_ms")),
    totalTokens: totalOf(tokens),
    attributes: present({
      stop_condition: at(rollout, "stop_condition"),
      metrics: at(rollout, "metrics"),
    }),
  });
}
