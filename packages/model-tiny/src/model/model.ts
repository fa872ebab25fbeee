// The model as data: its shape, its weights, and the optimiser's state. Contains no arithmetic of training.

import { normal, seededRandom } from "../arithmetic/random.ts";
import { END, INPUTS, OUTPUTS, PAD } from "../tokens/vocabulary.ts";
import { PRETRAINED_WEIGHTS } from "./pretrained-weights.ts";
import { readQuantised } from "./quantised.ts";

/**
 * The shape of the model. `embedding` and `hidden` are multiples of 4, because the kernels process four rows at a
 * time.
 */
export interface TinyShape {
  /** The number of previous tokens that it sees by position. */
  readonly window: number;
  /** The most tokens of a conversation, including its answer. Default `window`. */
  readonly context?: number;
  /** The number of rows in the table of words, through which it sees the whole context. Default 0: none. */
  readonly words?: number;
  /** The number of further layers with `hidden` units, each added to the output of the one before. Default 0. */
  readonly layers?: number;
  /** The number of values that represent one token. */
  readonly embedding: number;
  /** The number of units in the hidden layer. */
  readonly hidden: number;
}

/** A model for answering: without the optimiser's state, which takes two thirds of the memory. */
export interface TinyWeights {
  /** Its shape; fixed for its life. */
  readonly shape: TinyShape;
  /** All weights, in the order of `layoutOf`. */
  readonly weights: Float32Array;
}

/**
 * A language model over bytes: an embedding represents each token of the window, a hidden layer of tanh units reads
 * them side by side (Bengio et al., 2003) together with the words of the whole context, residual layers follow, and an
 * output layer scores the next token. Training changes a model in place; `copyModel` preserves the previous state.
 */
export interface TinyModel extends TinyWeights {
  /** Adam's running mean of each weight's gradient. */
  readonly mean: Float32Array;
  /** Adam's running mean of each weight's squared gradient. */
  readonly variance: Float32Array;
  /** The number of updates that the optimiser has made. */
  updates: number;
}

/** The offset of each part in the weights. */
export interface TinyLayout {
  /** `INPUTS` rows of `embedding` numbers. */
  readonly embedding: number;
  /** `window * embedding` rows of `hidden` numbers; the newest token comes last. */
  readonly hidden: number;
  /** `hidden` numbers. */
  readonly hiddenBias: number;
  /** `words` rows of `hidden` numbers. */
  readonly words: number;
  /** For each layer, `hidden` rows of `hidden` numbers, then `hidden` more for its bias. */
  readonly layers: number;
  /** `hidden` rows of `OUTPUTS` numbers. */
  readonly output: number;
  /** `OUTPUTS` numbers. */
  readonly outputBias: number;
  /** The total number of weights. */
  readonly size: number;
}

/** The shape of the base models. */
export const TINY_SHAPE: TinyShape = {
  window: 48,
  context: 512,
  words: 4096,
  embedding: 12,
  hidden: 128,
  layers: 1,
};

/** The most tokens of a conversation with a model of this shape, including its answer. */
export function contextOf({ shape: { window, context = window } }: TinyWeights): number {
  return context;
}

/** The offsets of the parts of a model of this shape. */
export function layoutOf(shape: TinyShape): TinyLayout {
  const hidden = INPUTS * shape.embedding;
  const hiddenBias = hidden + shape.window * shape.embedding * shape.hidden;
  const words = hiddenBias + shape.hidden;
  const layers = words + (shape.words ?? 0) * shape.hidden;
  const output = layers + (shape.layers ?? 0) * (shape.hidden + 1) * shape.hidden;
  const outputBias = output + shape.hidden * OUTPUTS;
  return { embedding: 0, hidden, hiddenBias, words, layers, output, outputBias, size: outputBias + OUTPUTS };
}

/**
 * A new model with weights generated from `seed`. It generates short runs of lower-case letters instead of control
 * bytes, so that there is something to reward before training.
 */
export function createModel(seed: number, shape: TinyShape = TINY_SHAPE): TinyModel {
  const random = seededRandom(seed);
  const layout = layoutOf(shape);
  const weights = new Float32Array(layout.size);
  const draw = (from: number, to: number, deviation: number) => {
    for (let i = from; i < to; i++) weights[i] = deviation * normal(random);
  };
  draw(layout.embedding, layout.hidden, 1);
  // A missing token adds nothing.
  const padding = layout.embedding + PAD * shape.embedding;
  weights.fill(0, padding, padding + shape.embedding);
  // Contexts usually have a dozen tokens; the rest of the window is mostly padding, which contributes nothing.
  draw(layout.hidden, layout.hiddenBias, 1 / Math.sqrt(12 * shape.embedding));
  // The table of words stays zero: a word without training contributes nothing.
  const layer = (shape.hidden + 1) * shape.hidden;
  for (let at = layout.layers; at < layout.output; at += layer)
    draw(at, at + shape.hidden * shape.hidden, 0.5 / Math.sqrt(shape.hidden));
  draw(layout.output, layout.outputBias, 0.5 / Math.sqrt(shape.hidden));
  for (let token = 0; token < OUTPUTS; token++) weights[layout.outputBias + token] = prior(token);
  return {
    shape,
    weights,
    mean: new Float32Array(layout.size),
    variance: new Float32Array(layout.size),
    updates: 0,
  };
}

/** The initial logit of a token. */
function prior(token: number): number {
  if (token === END) return 1;
  if (token >= 0x61 && token <= 0x7a) return 0;
  return token >= 0x20 && token < 0x7f ? -2 : -5;
}

/** An independent copy of a model. */
export function copyModel(model: TinyModel): TinyModel {
  const { shape, weights, mean, variance, updates } = model;
  return { shape, weights: weights.slice(), mean: mean.slice(), variance: variance.slice(), updates };
}

const BASE_NAME = /^assay\/tiny(?:-([1-9]\d{0,8}))?$/;

/** Whether `name` is a base model's name. */
export function isBaseModel(name: string): boolean {
  return BASE_NAME.test(name);
}

/**
 * The base model `name`: `assay/tiny`, which answers plain questions, or `assay/tiny-<seed>`, with random weights and
 * no training. Undefined for any other name. Equal names give equal models everywhere.
 */
export function baseModel(name: string): TinyModel | undefined {
  const seed = BASE_NAME.exec(name);
  if (seed === null) return undefined;
  return seed[1] === undefined ? pretrainedModel() : createModel(Number(seed[1]));
}

/** Made by pretraining/main.ts, without the optimiser's state. */
function pretrainedModel(): TinyModel {
  const { size } = layoutOf(TINY_SHAPE);
  return {
    shape: TINY_SHAPE,
    weights: readQuantised(PRETRAINED_WEIGHTS, size),
    mean: new Float32Array(size),
    variance: new Float32Array(size),
    updates: 0,
  };
}
