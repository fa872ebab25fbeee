// Supervised fine-tuning: next-token cross-entropy on the assistant's messages. One update per batch of rows.

import { seededRandom, shuffle } from "../arithmetic/random.ts";
import type { TinyWeights } from "../model/model.ts";
import { networkOf } from "../model/network.ts";
import { sequenceOf, type TinyMessage, textOf } from "../tokens/chat-template.ts";
import { cutTo, type Sequence, trainedPositions } from "../tokens/sequence.ts";
import { type GradientTape, gradientTape } from "./gradient.ts";
import { finite, STRETCH, type TrainingPlan, type TrainingRun } from "./training-plan.ts";

/** How to fine-tune. Names and defaults are those of the wire, in camel case. */
export interface SftConfig {
  /** Rows per update. Default 2. */
  readonly batchSize?: number;
  /** Adam's step, or one for each batch (the last one is repeated). Default 0.01. */
  readonly learningRate?: number | readonly number[];
  /** Whether to learn every turn of the assistant, or only the last one of each row. Default `all`. */
  readonly assistantTurns?: "all" | "last";
  /** The number of passes over the rows. Default 1. */
  readonly epochs?: number;
  /** The seed of the order of rows in later passes; the first pass keeps their order. Default 0. */
  readonly seed?: number;
  /** The number of tokens of a conversation that are read: later ones are not learned. Default: all. */
  readonly context?: number;
}

/** A conversation to learn from. */
export interface SftRow {
  /** The messages, oldest first. An assistant's message with weight 0 is context only. */
  readonly messages: readonly (TinyMessage & { readonly weight?: number | null })[];
}

const LEARNING_RATE = 0.01;

/** The number of rows used to check whether their loss falls. */
const PROBE = 4;

/** Plans supervised fine-tuning on `rows`. Rows without an assistant's turn to learn are left out. */
export function planSft(rows: readonly SftRow[], config: SftConfig = {}): TrainingPlan {
  const {
    batchSize = 2,
    learningRate = LEARNING_RATE,
    assistantTurns = "all",
    epochs = 1,
    seed = 0,
    context = Number.POSITIVE_INFINITY,
  } = config;
  const rates = typeof learningRate === "number" ? [learningRate] : learningRate;
  const trainable = rows.filter((row) => row.messages.some(learnedIn(row, assistantTurns)));
  const batches = Math.ceil(trainable.length / batchSize);
  return {
    steps: batches * epochs,
    cut: trainable.filter((row) => isLonger(row, context)).length,
    probe: trainable.slice(0, PROBE).map((row) => cutTo(sftSequence(row, assistantTurns), context)),
    *run(model) {
      const random = seededRandom(seed);
      const order = [...trainable];
      const tape = gradientTape(model);
      for (let step = 0; step < batches * epochs; step++) {
        const batch = step % batches;
        if (batch === 0 && step > 0) shuffle(order, random);
        const rows = order.slice(batch * batchSize, (batch + 1) * batchSize);
        // Tokens take several times the memory of rows, so only one batch at a time is converted.
        const sequences = rows.map((row) => cutTo(sftSequence(row, assistantTurns), context));
        yield* update(tape, sequences, rates[Math.min(step, rates.length - 1)] ?? LEARNING_RATE);
      }
    },
  };
}

/** Whether `row` has more than `context` tokens. */
function isLonger(row: SftRow, context: number): boolean {
  // A text has at most three bytes per unit, so most rows need not be converted to check this.
  const most = row.messages.reduce((sum, message) => sum + 2 + 3 * textOf(message).length, 0);
  return most > context && sftSequence(row).tokens.length > context;
}

/** One update on one batch. */
function* update(tape: GradientTape, batch: readonly Sequence[], learningRate: number): TrainingRun {
  const count = batch.reduce((sum, sequence) => sum + trainedPositions(sequence).length, 0);
  let loss = 0;
  let entropy = 0;
  let done = 0;
  for (const sequence of batch) {
    for (const position of trainedPositions(sequence)) {
      entropy += tape.add(sequence.tokens, position, 1 / count) / count;
      loss -= tape.network.logprobs[sequence.tokens[position]!]! / count;
      if (++done % STRETCH === 0) yield undefined;
    }
  }
  const length = tape.update(learningRate);
  yield finite({
    loss,
    entropy,
    grad_norm: length,
    learning_rate: learningRate,
    num_trajectories: batch.length,
    num_trainable_tokens: count,
    train_tokens: batch.reduce((sum, sequence) => sum + sequence.tokens.length, 0),
  });
}

/** `row` as tokens, with the learned ones marked. */
export function sftSequence({ messages }: SftRow, turns: "all" | "last" = "all"): Sequence {
  const isLearned = learnedIn({ messages }, turns);
  return sequenceOf(messages, (i) => isLearned(messages[i], i));
}

/** Whether a message of a row is learned: the assistant's, all or the last of them, except those with weight 0. */
function learnedIn(
  { messages }: SftRow,
  turns: "all" | "last",
): (message: SftRow["messages"][number] | undefined, place: number) => boolean {
  const last = messages.findLastIndex((message) => message.role === "assistant");
  return (message, place) =>
    message?.role === "assistant" && message.weight !== 0 && (turns === "all" || place === last);
}

/** The mean of -ln P over the trained tokens of `sequences`, 0 without any: for validation data. */
export function lossOf(model: TinyWeights, sequences: readonly Sequence[]): number {
  const network = networkOf(model);
  let sum = 0;
  let count = 0;
  for (const sequence of sequences) {
    for (const position of trainedPositions(sequence)) {
      network.forward(sequence.tokens, position);
      sum -= network.logprobs[sequence.tokens[position]!]!;
      count++;
    }
  }
  return count === 0 ? 0 : sum / count;
}
