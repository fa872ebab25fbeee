// The network: from a context to the log-probabilities of the next token, and from a loss back to a gradient. Buffers
// are allocated once per network and reused.
import { exp, ln, tanh } from "../arithmetic/elementary.ts";
import { addScaled, multiply, multiplyBack } from "../arithmetic/kernels.ts";
import { OUTPUTS, PAD } from "../tokens/vocabulary.ts";
import { wordReader } from "../tokens/words.ts";
import { layoutOf, type TinyWeights } from "./model.ts";

/** One model with the buffers to run it. Do not share it between concurrent computations. */
export interface Network {
  /** ln P(token | the tokens before), for each token that can be sampled. Valid until the next `forward`. */
  readonly logprobs: Float64Array;
  /** Computes `logprobs` for position `end` of `tokens`, from the window of tokens before it. */
  forward(tokens: Uint16Array, end: number): void;
  /**
   * Adds to `gradient` the contribution of the last `forward`, given the slope of the loss in each logit. Weights and
   * tokens must not have changed in between.
   */
  backward(slopes: Float64Array, gradient: Float64Array): void;
}

/** The network of `model`. It reads the model's current weights at each call. */
export function networkOf(model: TinyWeights): Network {
  const { window, embedding, hidden, words = 0, layers = 0 } = model.shape;
  const layout = layoutOf(model.shape);
  const { weights } = model;
  const letter = new Float64Array(embedding);
  const letterSlopes = new Float64Array(embedding);
  // The output of the first layer, then of each further one.
  const units = Array.from({ length: layers + 1 }, () => new Float64Array(hidden));
  // The value that each further layer adds to the previous one.
  const added = Array.from({ length: layers }, () => new Float64Array(hidden));
  const unitSlopes = new Float64Array(hidden);
  const innerSlopes = new Float64Array(hidden);
  const passedSlopes = new Float64Array(hidden);
  const logprobs = new Float64Array(OUTPUTS);
  const reader = wordReader();
  const first = units[0]!;
  const last = units[layers]!;
  let tokens: Uint16Array = new Uint16Array(0);
  let end = 0;

  const start = () => Math.max(0, end - window);
  const letterAt = (i: number) => layout.embedding + tokens[i]! * embedding;
  // The newest token always uses the last rows, however long the context is.
  const rowsAt = (i: number) => layout.hidden + (window - end + i) * embedding * hidden;
  const layerAt = (layer: number) => layout.layers + layer * (hidden + 1) * hidden;
  const readLetter = (at: number) => {
    for (let k = 0; k < embedding; k++) letter[k] = weights[at + k]!;
  };

  const readWords = () => {
    if (words === 0) return;
    const { rows, shares } = reader.read(tokens, end, words);
    for (let i = 0; i < rows.length; i++)
      addScaled(first, 0, weights, layout.words + rows[i]! * hidden, shares[i]!, hidden);
  };

  const layerForward = (layer: number) => {
    const at = layerAt(layer);
    const [below, inner, above] = [units[layer]!, added[layer]!, units[layer + 1]!];
    for (let j = 0; j < hidden; j++) inner[j] = weights[at + hidden * hidden + j]!;
    multiply(weights, at, below, inner);
    for (let j = 0; j < hidden; j++) {
      inner[j] = tanh(inner[j]!);
      above[j] = below[j]! + inner[j]!;
    }
  };

  /** Propagates `unitSlopes` from above a layer to below it. */
  const layerBackward = (layer: number, gradient: Float64Array) => {
    const at = layerAt(layer);
    const inner = added[layer]!;
    for (let j = 0; j < hidden; j++) {
      innerSlopes[j] = unitSlopes[j]! * (1 - inner[j]! * inner[j]!);
      gradient[at + hidden * hidden + j]! += innerSlopes[j]!;
    }
    multiplyBack(weights, at, units[layer]!, innerSlopes, gradient, passedSlopes);
    for (let j = 0; j < hidden; j++) unitSlopes[j]! += passedSlopes[j]!;
  };

  return {
    logprobs,

    forward(newTokens, newEnd) {
      tokens = newTokens;
      end = newEnd;
      for (let j = 0; j < hidden; j++) first[j] = weights[layout.hiddenBias + j]!;
      readWords();
      for (let i = start(); i < end; i++) {
        if (tokens[i] === PAD) continue;
        readLetter(letterAt(i));
        multiply(weights, rowsAt(i), letter, first);
      }
      for (let j = 0; j < hidden; j++) first[j] = tanh(first[j]!);
      for (let layer = 0; layer < layers; layer++) layerForward(layer);
      for (let v = 0; v < OUTPUTS; v++) logprobs[v] = weights[layout.outputBias + v]!;
      multiply(weights, layout.output, last, logprobs);
      normalise(logprobs);
    },

    backward(slopes, gradient) {
      for (let v = 0; v < OUTPUTS; v++) gradient[layout.outputBias + v]! += slopes[v]!;
      multiplyBack(weights, layout.output, last, slopes, gradient, unitSlopes);
      for (let layer = layers - 1; layer >= 0; layer--) layerBackward(layer, gradient);
      for (let j = 0; j < hidden; j++) {
        unitSlopes[j]! *= 1 - first[j]! * first[j]!;
        gradient[layout.hiddenBias + j]! += unitSlopes[j]!;
      }
      for (let i = start(); i < end; i++) {
        if (tokens[i] === PAD) continue;
        readLetter(letterAt(i));
        multiplyBack(weights, rowsAt(i), letter, unitSlopes, gradient, letterSlopes);
        for (let k = 0; k < embedding; k++) gradient[letterAt(i) + k]! += letterSlopes[k]!;
      }
      if (words === 0) return;
      const { rows, shares } = reader.read(tokens, end, words);
      for (let i = 0; i < rows.length; i++)
        addScaled(gradient, layout.words + rows[i]! * hidden, unitSlopes, 0, shares[i]!, hidden);
    },
  };
}

/** Turns logits into log-probabilities, in place. */
function normalise(logits: Float64Array): void {
  let top = logits[0]!;
  for (let v = 1; v < logits.length; v++) top = Math.max(top, logits[v]!);
  let sum = 0;
  for (let v = 0; v < logits.length; v++) sum += exp(logits[v]! - top);
  const norm = top + ln(sum);
  for (let v = 0; v < logits.length; v++) logits[v]! -= norm;
}
