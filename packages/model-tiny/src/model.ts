// The model as data: its shape, its weights, and what the optimiser remembers. No arithmetic of training here.
import { normal, seededRandom } from "./random.ts";
import { END, INPUTS, OUTPUTS, PAD } from "./vocabulary.ts";

/** How large the model is. `embedding` and `hidden` are multiples of 4: the kernels go through four rows at a time. */
export interface TinyShape {
  /** How many tokens back it can see. */
  readonly window: number;
  /** How many numbers stand for one token. */
  readonly embedding: number;
  /** How many units the hidden layer has. */
  readonly hidden: number;
}

/**
 * A language model over bytes: each token of the context window is looked up in an embedding, a hidden layer of
 * tanh units reads them side by side, an output layer scores the next token (Bengio et al., 2003).
 * Training changes a model in place; `copyModel` keeps what was.
 */
export interface TinyModel {
  /** How large it is; fixed for its life. */
  readonly shape: TinyShape;
  /** All weights, in the order of `layoutOf`. */
  readonly weights: Float32Array;
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
  /** `hidden` rows of `OUTPUTS` numbers. */
  readonly output: number;
  /** `OUTPUTS` numbers. */
  readonly outputBias: number;
  /** How many numbers there are in all. */
  readonly size: number;
}

/** The shape of the base models. */
export const TINY_SHAPE: TinyShape = { window: 64, embedding: 12, hidden: 96 };

/** Where each part of a model of this shape begins. */
export function layoutOf(shape: TinyShape): TinyLayout {
  const hidden = INPUTS * shape.embedding;
  const hiddenBias = hidden + shape.window * shape.embedding * shape.hidden;
  const output = hiddenBias + shape.hidden;
  const outputBias = output + shape.hidden * OUTPUTS;
  return { embedding: 0, hidden, hiddenBias, output, outputBias, size: outputBias + OUTPUTS };
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
  // Nothing is said by a token that is not there.
  const padding = layout.embedding + PAD * shape.embedding;
  weights.fill(0, padding, padding + shape.embedding);
  // A dozen tokens are a usual context; the rest of the window is mostly padding and adds nothing.
  draw(layout.hidden, layout.hiddenBias, 1 / Math.sqrt(12 * shape.embedding));
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
 * The base model called `name`: `assay/tiny`, or `assay/tiny-<seed>` for another draw of the weights.
 * Undefined for any other name. The same name is the same model everywhere.
 */
export function baseModel(name: string): TinyModel | undefined {
  const seed = BASE_NAME.exec(name);
  return seed === null ? undefined : createModel(Number(seed[1] ?? 0));
}
