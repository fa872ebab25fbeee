// Reads `traces.jsonl` of verifiers from 0.4: an episode on each line, with a trace of each of its agents. Each agent
// is an evaluation.

import type { Json } from "@assay/base";
import { fileStem, type ImportFile } from "../files/import-file.ts";
import { isoTimeOfSeconds } from "../json/iso-time.ts";
import { jsonLines } from "../json/json-lines.ts";
import { at, type JsonObject, listAt, membersAt, numberAt, present, textAt } from "../json/json-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import {
  evaluationEvent,
  type ImportEvent,
  type ImportedEvaluation,
  trialEvent,
} from "../trials/imported-trial.ts";
import { contentText } from "./content-text.ts";

/** Whether a file has episodes. */
export function hasEpisodes({ keys }: FileHead): boolean {
  return ["env.id", "task.data", "traces"].every((key) => keys.has(key));
}

/** Data of a task that say how to run it, not what it asks. */
const RUN = /^(?:idx|image|workdir|agent_user|skills|network_.*|artifacts|artifact_.*|timeout|resources)$/;

/** The trials in a file of episodes. `isScore`: whether a metric is a score. */
export async function* tracedTrials(
  file: ImportFile,
  isScore: (metric: string) => boolean,
): AsyncGenerator<ImportEvent> {
  const evaluations = new Map<string, ImportedEvaluation>();
  for await (const episode of jsonLines(file)) {
    const traces = listAt(episode, "traces");
    const run = textAt(episode, "run", "id") ?? fileStem(file);
    // If the environment fails, there may be no trace.
    for (const trace of traces.length === 0 ? [episode] : traces) {
      const agent = textAt(trace, "agent", "name") ?? "agent";
      const id = `${run} ${agent}`;
      const dataset = textAt(episode, "env", "id");
      const model = textAt(trace, "agent", "config", "model");
      if (!evaluations.has(id))
        evaluations.set(id, {
          ...{ id, name: dataset ?? fileStem(file), model, dataset },
          startedAt: isoTimeOfSeconds(numberAt(trace, "timing", "start")),
          attributes: present({ run: textAt(episode, "run", "name"), agent }),
        });
      yield traceTrial(trace, id, isScore);
    }
  }
  for (const [id, evaluation] of evaluations) {
    const agent = evaluations.size === 1 ? "" : ` · ${id.slice(id.lastIndexOf(" ") + 1)}`;
    yield evaluationEvent({ ...evaluation, name: `${evaluation.name}${agent}` });
  }
}

function traceTrial(trace: Json, evaluation: string, isScore: (metric: string) => boolean): ImportEvent {
  const data = membersAt(trace, "task", "data").filter(([name]) => !RUN.test(name));
  const [key, hash] = [textAt(trace, "task", "key"), textAt(trace, "task", "hash")];
  // A key that is not made of the content is the dataset's own. A system prompt may be set for a run.
  const own = key === undefined || key === hash ? undefined : key;
  const content = Object.fromEntries(data.filter(([name]) => name !== "system_prompt"));
  const rewards = membersAt(trace, "rewards");
  const reward = rewards.reduce(
    (sum, [, one]) => sum + (numberAt(one, "score") ?? 0) * (numberAt(one, "weight") ?? 1),
    0,
  );
  const agent = (end: string) => numberAt(trace, "timing", "agent", end) ?? 0;
  const error = textAt(listAt(trace, "errors").at(-1), "message");
  return trialEvent({
    evaluation,
    row: Object.fromEntries(data),
    rowKey: own ?? content,
    output: answerOf(trace),
    scores: {
      ...Object.fromEntries(rewards.map(([name, one]) => [name, at(one, "score") ?? null])),
      ...Object.fromEntries(membersAt(trace, "metrics").filter(([name]) => isScore(name))),
      reward: rewards.length === 0 ? null : reward,
    },
    // Errors of attempts that succeeded later stay in the file.
    error: at(trace, "ok") === false ? (error ?? "the rollout failed") : undefined,
    latencySeconds: agent("end") > 0 ? agent("end") - agent("start") : undefined,
    totalTokens: numberAt(trace, "num_total_tokens"),
    attributes: present({
      stop_condition: at(trace, "stop_condition"),
      rewards: at(trace, "rewards"),
      metrics: at(trace, "metrics"),
    }),
  });
}

/** What the model said: a text if it spoke once, otherwise all messages from then on. */
function answerOf(trace: Json): Json {
  const nodes = listAt(trace, "nodes");
  const messages = nodes.slice(nodes.findIndex((node) => at(node, "sampled") === true)).map(messageOf);
  if (!nodes.some((node) => at(node, "sampled") === true)) return null;
  return messages.length === 1 ? contentText(at(messages[0], "content") ?? null) : messages;
}

function messageOf(node: Json): JsonObject {
  return Object.fromEntries(membersAt(node, "message"));
}
