// A sequence: a conversation as tokens, with the data that training needs about each token.
import { END, OUTPUTS } from "./vocabulary.ts";

/** A conversation as tokens. The three arrays have equal lengths. */
export interface Sequence {
  /** The tokens, oldest first. */
  readonly tokens: Uint16Array;
  /** 1 if the model should learn the token, else 0. */
  readonly trained: Uint8Array;
  /** The log-probability of the token under the model that sampled it; NaN if unknown. */
  readonly logprobs: Float64Array;
}

/** Writes a sequence piece by piece. */
export interface SequenceWriter {
  /** Adds tokens, all of them learned or none. `logprobs` as in `Sequence`; unknown if absent. */
  add(tokens: ArrayLike<number>, trained: boolean, logprobs?: readonly number[]): void;
  /** Adds a turn: its mark, its text, its end. `trained` applies to text and end; a mark is never learned. */
  turn(mark: number, text: string, trained: boolean): void;
  /** The number of tokens written so far. */
  tokens(): Uint16Array;
  /** Everything written so far. */
  sequence(): Sequence;
}

const encoder = new TextEncoder();

/** A writer of an empty sequence. */
export function sequenceWriter(): SequenceWriter {
  const pieces: { tokens: ArrayLike<number>; trained: boolean; logprobs?: readonly number[] | undefined }[] =
    [];
  let length = 0;
  const writer: SequenceWriter = {
    add(tokens, trained, logprobs) {
      pieces.push({ tokens, trained, logprobs });
      length += tokens.length;
    },
    turn(mark, text, trained) {
      writer.add([mark], false);
      writer.add(encoder.encode(text), trained);
      writer.add([END], trained);
    },
    tokens() {
      const tokens = new Uint16Array(length);
      let at = 0;
      for (const piece of pieces) {
        tokens.set(piece.tokens, at);
        at += piece.tokens.length;
      }
      return tokens;
    },
    sequence() {
      const trained = new Uint8Array(length);
      const logprobs = new Float64Array(length).fill(Number.NaN);
      let at = 0;
      for (const piece of pieces) {
        if (piece.trained) trained.fill(1, at, at + piece.tokens.length);
        if (piece.logprobs !== undefined) logprobs.set(piece.logprobs, at);
        at += piece.tokens.length;
      }
      return { tokens: writer.tokens(), trained, logprobs };
    },
  };
  return writer;
}

/** The first `length` tokens of `sequence`; itself if it is not longer. */
export function cutTo(sequence: Sequence, length: number): Sequence {
  if (sequence.tokens.length <= length) return sequence;
  const { tokens, trained, logprobs } = sequence;
  return {
    tokens: tokens.subarray(0, length),
    trained: trained.subarray(0, length),
    logprobs: logprobs.subarray(0, length),
  };
}

/** The positions of the tokens to learn. */
export function trainedPositions({ trained }: Sequence): readonly number[] {
  const positions: number[] = [];
  for (let i = 0; i < trained.length; i++) if (trained[i] === 1) positions.push(i);
  return positions;
}

/** Whether the model can sample `token`. */
export function isSayable(token: number): boolean {
  return Number.isInteger(token) && token >= 0 && token < OUTPUTS;
}
