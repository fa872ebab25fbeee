// Reads results of tau2-bench: the tasks, and a simulation for each task and trial.

import type { Json } from "@assay/base";
import { fileStem } from "../files/import-file.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, isObject, listAt, numberAt, present, textAt } from "../json/json-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

/** How a simulation ends that was not cut off. */
const ENDED = /^(?:user|agent)_stop$/;

/** tau2-bench. */
export const tau2: Importer = {
  name: "tau2",
  title: "tau2-bench results",
  recognises: ({ fileType, keys }: FileHead) =>
    fileType === "json" &&
    ["info.agent_info", "info.environment_info", "tasks"].every((key) => keys.has(key)),
  async *read([file]) {
    let info: Json = null;
    let timestamp: string | undefined;
    const tasks = new Map<string, Json>();
    for await (const { path, value } of jsonSlices(file!, {
      take: [["info"], ["timestamp"], ["tasks", "*"]],
    }))
      if (path[0] === "info") info = value;
      else if (path[0] === "timestamp") timestamp = typeof value === "string" ? value : undefined;
      else tasks.set(textAt(value, "id") ?? "", value);
    const dataset = textAt(info, "environment_info", "domain_name") ?? "tau2-bench";
    const id = `${fileStem(file!)} ${timestamp}`;
    yield evaluationEvent({
      ...{ id, name: dataset, model: textAt(info, "agent_info", "llm"), dataset },
      startedAt: timestamp,
      attributes: present({ agent: at(info, "agent_info"), user: at(info, "user_info") }),
    });
    for await (const { value } of jsonSlices(file!, { take: [["simulations", "*"]] }))
      yield simulationTrial(value, { evaluation: id, dataset, tasks });
  },
};

interface Simulations {
  readonly evaluation: string;
  readonly dataset: string;
  readonly tasks: ReadonlyMap<string, Json>;
}

function simulationTrial(simulation: Json, { evaluation, dataset, tasks }: Simulations): ImportEvent {
  const task = textAt(simulation, "task_id") ?? "";
  const scenario = at(tasks.get(task), "user_scenario", "instructions");
  const end = textAt(simulation, "termination_reason");
  const breakdown = at(simulation, "reward_info", "reward_breakdown");
  return trialEvent({
    evaluation,
    row: present({ task_id: task, instructions: scenario }),
    rowKey: [dataset, task],
    repetition: numberAt(simulation, "trial"),
    output: listAt(simulation, "messages"),
    scores: {
      reward: at(simulation, "reward_info", "reward") ?? null,
      ...(isObject(breakdown) && { reward_breakdown: breakdown }),
    },
    error: end === undefined || ENDED.test(end) ? undefined : end,
    latencySeconds: numberAt(simulation, "duration"),
    attributes: present({ cost: at(simulation, "agent_cost"), termination_reason: end }),
  });
}
