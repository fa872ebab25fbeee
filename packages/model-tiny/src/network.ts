// The network: from a context to the log-probabilities of the next token, and from a loss back to a gradient.
// Buffers are made once per network and reused.
import { multiply, multiplyBack } from "./kernels.ts";
import { layoutOf, type TinyModel } from "./model.ts";
import { OUTPUTS, PAD } from "./vocabulary.ts";

/** One model with the buffers to run it. Not to be shared between two computations at the same time. */
export interface Network {
  /** ln P(token | the tokens before), for each token that can be said. Valid until the next `forward`. */
  readonly logprobs: Float64Array;
  /** Computes `logprobs` for position `end` of `tokens`, from the window of tokens before it. */
  forward(tokens: Uint16Array, end: number): void;
  /**
   * Adds to `gradient` what the last `forward` contributes, given the slope of the loss in each logit.
   * Weights and tokens must not have changed in between.
   */
  backward(slopes: Float64Array, gradient: Float64Array): void;
}

/** The network of `model`. It reads the model's weights as they are at each call. */
export function networkOf(model: TinyModel): Network {
  const { window, embedding, hidden } = model.shape;
  const layout = layoutOf(model.shape);
  const { weights } = model;
  const letter = new Float64Array(embedding);
  const letterSlopes = new Float64Array(embedding);
  const units = new Float64Array(hidden);
  const unitSlopes = new Float64Array(hidden);
  const logprobs = new Float64Array(OUTPUTS);
  let tokens: Uint16Array = new Uint16Array(0);
  let end = 0;

  const start = () => Math.max(0, end - window);
  const letterAt = (i: number) => layout.embedding + tokens[i]! * embedding;
  // The newest token always meets the last rows, however long the context is.
  const rowsAt = (i: number) => layout.hidden + (window - end + i) * embedding * hidden;
  const readLetter = (at: number) => {
    for (let k = 0; k < embedding; k++) letter[k] = weights[at + k]!;
  };

  return {
    logprobs,

    forward(newTokens, newEnd) {
      tokens = newTokens;
      end = newEnd;
      for (let j = 0; j < hidden; j++) units[j] = weights[layout.hiddenBias + j]!;
      for (let i = start(); i < end; i++) {
        if (tokens[i] === PAD) continue;
        readLetter(letterAt(i));
        multiply(weights, rowsAt(i), letter, units);
      }
      for (let j = 0; j < hidden; j++) units[j] = Math.tanh(units[j]!);
      for (let v = 0; v < OUTPUTS; v++) logprobs[v] = weights[layout.outputBias + v]!;
      multiply(weights, layout.output, units, logprobs);
      normalise(logprobs);
    },

    backward(slopes, gradient) {
      for (let v = 0; v < OUTPUTS; v++) gradient[layout.outputBias + v]! += slopes[v]!;
      multiplyBack(weights, layout.output, units, slopes, gradient, unitSlopes);
      for (let j = 0; j < hidden; j++) {
        unitSlopes[j]! *= 1 - units[j]! * units[j]!;
        gradient[layout.hiddenBias + j]! += unitSlopes[j]!;
      }
      for (let i = start(); i < end; i++) {
        if (tokens[i] === PAD) continue;
        readLetter(letterAt(i));
        multiplyBack(weights, rowsAt(i), letter, unitSlopes, gradient, letterSlopes);
        for (let k = 0; k < embedding; k++) gradient[letterAt(i) + k]! += letterSlopes[k]!;
      }
    },
  };
}

/** Turns logits into log-probabilities, in place. */
function normalise(logits: Float64Array): void {
  let top = logits[0]!;
  for (let v = 1; v < logits.length; v++) top = Math.max(top, logits[v]!);
  let sum = 0;
  for (let v = 0; v < logits.length; v++) sum += Math.exp(logits[v]! - top);
  const norm = top + Math.log(sum);
  for (let v = 0; v < logits.length; v++) logits[v]! -= norm;
}
