// The part of the server's API that the loop needs, through the client that is generated from the OpenAPI document.
// `fetch`, `openai` and `openpipe-art` would work too.

import { assayClient, type Schemas } from "@assay/client";
import type { Message } from "./task.ts";

/** One answer: an unmodified choice, which training needs. */
export type Choice = Schemas["ChatCompletion"]["choices"][number];

/** One attempt at a question, and its reward. */
export interface Trajectory {
  readonly messages_and_choices: readonly (Message | Choice)[];
  readonly reward: number;
}

/** A trained model. */
export type Model = Schemas["TrainingModel"];

/** The response to an evaluation query. */
type Results = Schemas["EvalResultsQueryRes"];

/** What the loop needs of a server. Every method rejects with the server's error message. */
export interface Service {
  createModel(project: string, name: string, baseModel: string): Promise<Model>;
  /** Samples `n` answers to a conversation. The same seed gives the same answers. */
  chat(model: string, messages: readonly Message[], n: number, seed: number): Promise<readonly Choice[]>;
  /** Fine-tunes on conversations; resolves to the step of the new checkpoint. */
  fineTune(model: Model, rows: readonly (readonly Message[])[], config: object): Promise<number>;
  /** Trains on groups of attempts at the same question; resolves to the step of the new checkpoint. */
  reinforce(model: Model, groups: readonly (readonly Trajectory[])[], config: object): Promise<number>;
  /** Adds lines of calls, or of dataset rows, to a project (`entity/project`). */
  log(project: string, kind: "calls" | "rows", lines: readonly unknown[]): Promise<void>;
  /** Runs an evaluation query. */
  query(project: string, body: Schemas["EvalResultsQueryBody"]): Promise<Results>;
}

/** The service at `url`; `entity` owns its models. */
export function serviceAt(url: string, entity: string): Service {
  const { ask } = assayClient({ url });

  /** Follows the events of a job until it ends, and returns the step of its checkpoint. */
  const stepOf = async (job: Schemas["TrainingJob"]): Promise<number> => {
    const path = { training_job_id: job.id };
    for (let after: string | undefined; ; ) {
      const query = { wait: 20, after };
      const { data } = await ask("GET /v1/preview/training-jobs/{training_job_id}/events", { path, query });
      for (const event of data) {
        if (event.type === "training_failed")
          throw new Error(`training failed: ${event.data["error_message"]}`);
        if (event.type === "training_ended")
          return (await ask("GET /v1/preview/training-jobs/{training_job_id}", { path })).checkpoint_step!;
        after = event.id;
      }
    }
  };

  return {
    createModel: (project, name, base_model) =>
      ask("POST /v1/preview/models", { body: { entity, project, name, base_model, return_existing: true } }),
    async chat(model, messages, n, seed) {
      const body = { model, messages, n, seed, max_tokens: 12 };
      return (await ask("POST /v1/chat/completions", { body })).choices;
    },
    async fineTune({ id }, rows, experimental_config) {
      const lines = rows.map((messages) => JSON.stringify({ messages })).join("\n");
      const { training_data_url } = await ask("POST /v1/preview/training-data", { body: lines });
      const body = { model_id: id, training_data_url, experimental_config };
      return stepOf(await ask("POST /v1/preview/sft-training-jobs", { body }));
    },
    async reinforce({ id }, groups, experimental_config) {
      const trajectory_groups = groups.map((trajectories) => ({ trajectories }));
      const body = { model_id: id, trajectory_groups, experimental_config };
      return stepOf(await ask("POST /v1/preview/training-jobs", { body }));
    },
    async log(of, kind, lines) {
      const body = lines.map((line) => JSON.stringify(line)).join("\n");
      await ask(`POST /v2/{entity}/{project}/${kind}/import`, { path: pathOf(of), body });
    },
    query: (of, body) => ask("POST /v2/{entity}/{project}/eval_results/query", { path: pathOf(of), body }),
  };
}

function pathOf(name: string): { readonly entity: string; readonly project: string } {
  const [entity = "", project = ""] = name.split("/");
  return { entity, project };
}
