// A sequence: a conversation as tokens, and what training needs to know about each of them.
import { END, OUTPUTS } from "./vocabulary.ts";

/** A conversation as tokens. The three arrays are equally long. */
export interface Sequence {
  /** The tokens, oldest first. */
  readonly tokens: Uint16Array;
  /** 1 where the model is to learn from having said the token, else 0. */
  readonly trained: Uint8Array;
  /** What the model that said the token gave as its log-probability; NaN where nobody knows. */
  readonly logprobs: Float64Array;
}

/** Writes a sequence piece by piece. */
export interface SequenceWriter {
  /** One token. `logprob` as in `Sequence`; NaN when absent. */
  token(token: number, trained: boolean, logprob?: number): void;
  /** A turn: its mark, its text, its end. `trained` is about text and end; a mark is never learned. */
  turn(mark: number, text: string, trained: boolean): void;
  /** What was written so far. */
  sequence(): Sequence;
}

const encoder = new TextEncoder();

/** A writer of an empty sequence. */
export function sequenceWriter(): SequenceWriter {
  const tokens: number[] = [];
  const trained: number[] = [];
  const logprobs: number[] = [];
  const write = (token: number, learn: boolean, logprob = Number.NaN) => {
    tokens.push(token);
    trained.push(learn ? 1 : 0);
    logprobs.push(logprob);
  };
  return {
    token: write,
    turn(mark, text, learn) {
      write(mark, false);
      for (const byte of encoder.encode(text)) write(byte, learn);
      write(END, learn);
    },
    sequence: () => ({
      tokens: Uint16Array.from(tokens),
      trained: Uint8Array.from(trained),
      logprobs: Float64Array.from(logprobs),
    }),
  };
}

/** The positions whose tokens are to be learned. */
export function trainedPositions({ trained }: Sequence): readonly number[] {
  const positions: number[] = [];
  for (let i = 0; i < trained.length; i++) if (trained[i] === 1) positions.push(i);
  return positions;
}

/** Whether `token` is one that the model can say. */
export function isSayable(token: number): boolean {
  return Number.isInteger(token) && token >= 0 && token < OUTPUTS;
}
