// A trial as it is held until it is written: JSON of its parts, which holds no line break, a line each.

/** The parts of a trial. All but the first two are JSON, and empty where the trial has none. */
export interface HeldTrial {
  /** Of its row. */
  readonly digest: string;
  /** Which of its row it is, from 0. */
  readonly repetition: string;
  readonly output: string;
  /** As the file has them. */
  readonly scores: string;
  readonly attributes: string;
  readonly latency: string;
  readonly tokens: string;
  readonly error: string;
}

/** The lines of a trial, each with its line break. */
export function heldLines(trial: HeldTrial): string {
  const { digest, repetition, output, scores, attributes, latency, tokens, error } = trial;
  return `${digest}\n${repetition}\n${output}\n${scores}\n${attributes}\n${latency}\n${tokens}\n${error}\n`;
}

/** The trials that lines hold. */
export function* heldTrials(lines: readonly string[]): Generator<HeldTrial> {
  for (let i = 0; i < lines.length; i += 8) {
    yield {
      digest: lines[i]!,
      repetition: lines[i + 1]!,
      output: lines[i + 2]!,
      scores: lines[i + 3]!,
      attributes: lines[i + 4]!,
      latency: lines[i + 5]!,
      tokens: lines[i + 6]!,
      error: lines[i + 7]!,
    };
  }
}
