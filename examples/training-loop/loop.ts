// The whole loop: create, fine-tune, reinforce, evaluate each checkpoint, compare. Uses only the public HTTP API.

import { evaluate, logDataset } from "./evaluate.ts";
import { type Model, type Service, serviceAt, type Trajectory } from "./service.ts";
import { DEMONSTRATED, questionOf, rewardOf, sizeOf, TRAINED } from "./task.ts";

/** Options of the loop. */
export interface LoopOptions {
  /** The server's address. */
  readonly url: string;
  /** The number of rounds of reinforcement learning. */
  readonly rounds: number;
  /** Receives progress messages, one line at a time. */
  readonly say: (line: string) => void;
}

/** The result of the loop. */
export interface Loop {
  /** `entity/project`. */
  readonly project: string;
  /** The body of the query that compares the three checkpoints. */
  readonly query: object;
  /** The share of correct answers, from 0 to 1, according to the query. */
  readonly correct: { readonly base: number; readonly sft: number; readonly rl: number };
}

const ENTITY = "examples";
const PROJECT = "training-loop";
/** Attempts at each question in a round: enough for rewards to differ. */
const ATTEMPTS = 10;

/** Runs the loop once. */
export async function runLoop({ url, rounds, say }: LoopOptions): Promise<Loop> {
  const service = serviceAt(url, ENTITY);
  const project = `${ENTITY}/${PROJECT}`;
  const model = await service.createModel(PROJECT, `sizes-${Date.now().toString(36)}`, "assay/tiny");
  const name = `wandb-artifact:///${project}/${model.name}`;
  say(`created ${name} from assay/tiny`);
  await logDataset(service, project);
  const base = await evaluate(service, project, "numbers base", `${name}:step0`);

  const rows = DEMONSTRATED.map((number) => [
    questionOf(number),
    { role: "assistant", content: sizeOf(number) } as const,
  ]);
  const tuned = await service.fineTune(model, rows, { batch_size: 3, epochs: 10, seed: 1 });
  say(`fine-tuned on ${rows.length} conversations: step ${tuned}`);
  const sft = await evaluate(service, project, "numbers SFT", `${name}:step${tuned}`);

  let last = tuned;
  for (let round = 1; round <= rounds; round++) {
    const groups = await attempts(service, `${name}:step${last}`, round);
    last = await learn(service, model, groups, round);
    const rewards = groups.flat().map(({ reward }) => reward);
    const mean = rewards.reduce((a, b) => a + b, 0) / rewards.length;
    say(`round ${round} of ${rounds}: mean reward ${mean.toFixed(2)} before learning, step ${last} after it`);
  }
  const rl = await evaluate(service, project, "numbers RL", `${name}:step${last}`);

  const query = {
    evaluation_call_ids: [base, sft, rl],
    sort_by: [{ field: "scores.answer.correct", direction: "desc" as const, mode: "difference" as const }],
    include_summary: true,
    include_raw_data_rows: true,
    resolve_row_refs: true,
    limit: 5,
  };
  const { summary } = await service.query(project, query);
  const rateOf = (id: string) =>
    summary?.evaluations
      .find(({ evaluation_call_id }) => evaluation_call_id === id)
      ?.scorer_stats.find((stats) => JSON.stringify(stats).includes("correct"))?.pass_rate ?? 0;
  return { project, query, correct: { base: rateOf(base), sft: rateOf(sft), rl: rateOf(rl) } };
}

/** Samples several answers to half of the training numbers, and scores them. */
async function attempts(service: Service, model: string, round: number): Promise<readonly Trajectory[][]> {
  const numbers = TRAINED.filter((_, at) => (at + round) % 2 === 0);
  const groups: Trajectory[][] = [];
  for (const number of numbers) {
    const question = questionOf(number);
    // The choice keeps its log-probabilities: training needs the probability with which each token was sampled.
    const choices = await service.chat(model, [question], ATTEMPTS, round * 1000 + number);
    groups.push(
      choices.map((choice) => ({
        messages_and_choices: [question, choice],
        reward: rewardOf(choice.message.content ?? "", number),
      })),
    );
  }
  return groups;
}

/** One step of reinforcement learning, with the default learning rate of clients for large models. */
function learn(
  service: Service,
  model: Model,
  groups: readonly (readonly Trajectory[])[],
  seed: number,
): Promise<number> {
  return service.reinforce(model, groups, { learning_rate: 5e-6, seed });
}
