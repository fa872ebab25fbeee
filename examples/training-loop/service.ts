// The public HTTP interface, as far as the loop needs it: nothing here knows of anything else.

import type { Message } from "./task.ts";

/** One answer: a choice as it came, which is what training wants back. */
export interface Choice {
  readonly finish_reason: string;
  readonly message: { readonly role: string; readonly content: string };
  readonly logprobs: unknown;
}

/** One attempt at a question, and how well it went. */
export interface Trajectory {
  readonly messages_and_choices: readonly (Message | Choice)[];
  readonly reward: number;
}

/** A trained model. */
export interface Model {
  readonly id: string;
  readonly entity: string;
  readonly project: string;
  readonly name: string;
}

/** What the loop asks of a server. Everything rejects with the server's words when it refuses. */
export interface Service {
  createModel(project: string, name: string, baseModel: string): Promise<Model>;
  /** Answers to a conversation, `n` of them. The same seed gives the same answers. */
  chat(model: string, messages: readonly Message[], n: number, seed: number): Promise<readonly Choice[]>;
  /** Fine-tunes on conversations; resolves to the step of the new checkpoint. */
  fineTune(model: Model, rows: readonly (readonly Message[])[], config: object): Promise<number>;
  /** Learns from groups of attempts at the same question; resolves to the step of the new checkpoint. */
  reinforce(model: Model, groups: readonly (readonly Trajectory[])[], config: object): Promise<number>;
  /** Adds lines of calls, or of dataset rows, to a project (`entity/project`). */
  log(project: string, kind: "calls" | "rows", lines: readonly unknown[]): Promise<void>;
  /** The evaluation query. */
  query(project: string, body: object): Promise<Results>;
}

/** As much of the query's answer as the loop reads. */
export interface Results {
  readonly summary: {
    readonly evaluations: readonly {
      readonly evaluation_call_id: string;
      readonly scorer_stats: readonly { readonly scorer_key: string; readonly pass_rate: number | null }[];
    }[];
  };
}

interface Job {
  readonly id: string;
  readonly checkpoint_step: number;
}

/** The service at `url`; `entity` is whom its models belong to. */
export function serviceAt(url: string, entity: string): Service {
  const ask = async <T>(path: string, body?: unknown): Promise<T> => {
    const lines = typeof body === "string";
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "Content-Type": lines ? "application/x-ndjson" : "application/json" },
      ...(body !== undefined && { body: lines ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };

  /** Follows a job by its events, and gives the step of its checkpoint. */
  const stepOf = async ({ id }: { readonly id: string }): Promise<number> => {
    for (let after = ""; ; ) {
      const { data } = await ask<{
        readonly data: readonly {
          readonly id: string;
          readonly type: string;
          readonly data: Record<string, unknown>;
        }[];
      }>(`/v1/preview/training-jobs/${id}/events?wait=20${after}`);
      for (const event of data) {
        if (event.type === "training_failed")
          throw new Error(`training failed: ${event.data["error_message"]}`);
        if (event.type === "training_ended")
          return (await ask<Job>(`/v1/preview/training-jobs/${id}`)).checkpoint_step;
        after = `&after=${event.id}`;
      }
    }
  };

  return {
    createModel: (project, name, base_model) =>
      ask("/v1/preview/models", { entity, project, name, base_model, return_existing: true }),
    async chat(model, messages, n, seed) {
      const body = { model, messages, n, seed, max_tokens: 12 };
      return (await ask<{ readonly choices: readonly Choice[] }>("/v1/chat/completions", body)).choices;
    },
    async fineTune({ id }, rows, experimental_config) {
      const lines = rows.map((messages) => JSON.stringify({ messages })).join("\n");
      const { training_data_url } = await ask<{ readonly training_data_url: string }>(
        "/v1/preview/training-data",
        lines,
      );
      const wish = { model_id: id, training_data_url, experimental_config };
      return stepOf(await ask("/v1/preview/sft-training-jobs", wish));
    },
    async reinforce({ id }, groups, experimental_config) {
      const trajectory_groups = groups.map((trajectories) => ({ trajectories }));
      const wish = { model_id: id, trajectory_groups, experimental_config };
      return stepOf(await ask("/v1/preview/training-jobs", wish));
    },
    async log(project, kind, lines) {
      const body = lines.map((line) => JSON.stringify(line)).join("\n");
      await ask(`/v2/${project}/${kind}/import`, body);
    },
    query: (project, body) => ask(`/v2/${project}/eval_results/query`, body),
  };
}
