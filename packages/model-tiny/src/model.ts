// The model as data: its shape, its weights, and what the optimiser remembers. No arithmetic of training here.
import { PRETRAINED_WEIGHTS } from "./pretrained-weights.ts";
import { readQuantised } from "./quantised.ts";
import { normal, seededRandom } from "./random.ts";
import { END, INPUTS, OUTPUTS, PAD } from "./vocabulary.ts";

/** How large the model is. `embedding` and `hidden` are multiples of 4: the kernels go through four rows at a time. */
export interface TinyShape {
  /** How many tokens back it sees each in its place. */
  readonly window: number;
  /** How many tokens a conversation may have, its answer included. Default `window`. */
  readonly context?: number;
  /** How many rows the table of words has, by which it sees all of the context. Default 0: none. */
  readonly words?: number;
  /** How many further layers of `hidden` units there are, each added to what the one before gives. Default 0. */
  readonly layers?: number;
  /** How many numbers stand for one token. */
  readonly embedding: number;
  /** How many units the hidden layer has. */
  readonly hidden: number;
}

/** What it takes to answer: a model without what its optimiser remembers, which is two thirds of it. */
export interface TinyWeights {
  /** How large it is; fixed for its life. */
  readonly shape: TinyShape;
  /** All weights, in the order of `layoutOf`. */
  readonly weights: Float32Array;
}

/**
 * A language model over bytes: each token of the window is looked up in an embedding, a hidden layer of tanh units reads
 * them side by side (Bengio et al., 2003) together with the words of the whole context, residual layers go over that, and
 * an output layer scores the next token. Training changes a model in place; `copyModel` keeps what was.
 */
export interface TinyModel extends TinyWeights {
  /** Adam's running mean of each weight's gradient. */
  readonly mean: Float32Array;
  /** Adam's running mean of each weight's squared gradient. */
  readonly variance: Float32Array;
  /** How many updates the optimiser has made. */
  updates: number;
}

/** Where each part begins in the weights. */
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
  /** How many numbers there are in all. */
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

/** How many tokens a conversation with a model of this shape may have, its answer included. */
export function contextOf({ shape: { window, context = window } }: TinyWeights): number {
  return context;
}

/** Where each part of a model of this shape begins. */
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
 * A fresh model whose weights follow from `seed`. It babbles short runs of lower-case letters rather than control
 * bytes, so that there is something to reward before anything was learned.
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
  // A dozen tokens are a usual context; the rest of the window is mostly padding and adds nothing.
  draw(layout.hidden, layout.hiddenBias, 1 / Math.sqrt(12 * shape.embedding));
  // The table of words stays zero: a word that nothing was learned of says nothing.
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

/** How likely a fresh model finds a token, as a logit. */
function prior(token: number): number {
  if (token === END) return 1;
  if (token >= 0x61 && token <= 0x7a) return 0;
  return token >= 0x20 && token < 0x7f ? -2 : -5;
}

/** A model of its own with the same numbers. */
export function copyModel(model: TinyModel): TinyModel {
  const { shape, weights, mean, variance, updates } = model;
  return { shape, weights: weights.slice(), mean: mean.slice(), variance: variance.slice(), updates };
}

const BASE_NAME = /^assay\/tiny(?:-([1-9]\d{0,8}))?$/;

/** Whether `name` is that of a base model. */
export function isBaseModel(name: string): boolean {
  return BASE_NAME.test(name);
}

/**
 * The base model called `name`: `assay/tiny`, which answers plain questions, or `assay/tiny-<seed>`, random weights
 * without training. Undefined for any other name. The same name is the same model everywhere.
 */
export function baseModel(name: string): TinyModel | undefined {
  const seed = BASE_NAME.exec(name);
  if (seed === null) return undefined;
  return seed[1] === undefined ? pretrainedModel() : createModel(Number(seed[1]));
}

/** Made by pretraining/main.ts. Its optimiser remembers nothing of that. */
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
