// The MMLU-Pro evaluations: real answers of real models, from a folder with `calls.jsonl` (one call per line) and
// `rows.jsonl` (one dataset row per line).

import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { Dataset, DatasetRow, Dimension, Trial } from "./dataset.ts";

const DIMENSIONS: readonly Dimension[] = [
  { column: "correct", scorer: "exact_match", path: "correct", type: "binary" },
  { column: "picked", scorer: "exact_match", path: "picked", type: "text" },
  { column: "answered", scorer: "format", path: "answered", type: "binary" },
  { column: "chars", scorer: "format", path: "chars", type: "continuous" },
];

interface Question {
  readonly category: string;
}

/** The fields that we read from a predict-and-score call. */
interface PredictAndScore {
  readonly id: string;
  readonly parent_id: string;
  readonly inputs: { readonly example: string };
  readonly output: {
    readonly output: { readonly text: string };
    readonly scores: {
      readonly exact_match: { readonly correct: boolean; readonly picked: string | null };
      readonly format: { readonly answered: boolean; readonly chars: number };
    };
  };
}

/** A byte range of a file. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The lines of a file without their terminators, in constant memory. `span` must start and end at a line boundary. */
function* linesOf(path: string, span?: Span): Iterable<string> {
  const file = openSync(path, "r");
  const buffer = Buffer.allocUnsafe(1 << 20);
  const decoder = new StringDecoder("utf8");
  let at = span?.from ?? 0;
  let rest = "";
  try {
    for (;;) {
      const size = readSync(
        file,
        buffer,
        0,
        Math.min(buffer.length, (span?.to ?? Number.MAX_SAFE_INTEGER) - at),
        at,
      );
      if (size === 0) break;
      at += size;
      const lines = (rest + decoder.write(buffer.subarray(0, size))).split("\n");
      rest = lines.pop()!;
      yield* lines;
    }
    if (rest !== "") yield rest;
  } finally {
    closeSync(file);
  }
}

/** The evaluations in `folder`. Loads the trials on first use and keeps them in memory, without their calls. */
export function mmluPro(folder: string): Dataset {
  const path = join(folder, "calls.jsonl");
  const categoryOf = new Map<string, string>();
  for (const { digest, val } of rows()) categoryOf.set(digest, (val as unknown as Question).category);
  const digests = [...categoryOf.keys()].sort();
  const categories = [...new Set(categoryOf.values())].sort();

  const evaluations: string[] = [];
  // The calls of each evaluation are contiguous, the root first.
  const starts: number[] = [];
  let at = 0;
  for (const line of linesOf(path)) {
    if (line.includes('"parent_id":null')) {
      evaluations.push((JSON.parse(line) as { readonly id: string }).id);
      starts.push(at);
    }
    at += Buffer.byteLength(line) + 1;
  }
  starts.push(at);

  let known: readonly Trial[] | undefined;
  function readTrials(): readonly Trial[] {
    const rank = new Map(digests.map((digest, row) => [digest, row]));
    const trials: Trial[] = [];
    for (const line of linesOf(path)) {
      if (!line.includes("/op/Evaluation.predict_and_score:")) continue;
      const call = JSON.parse(line) as PredictAndScore;
      const digest = call.inputs.example.slice(call.inputs.example.lastIndexOf("/") + 1);
      const { exact_match, format } = call.output.scores;
      trials.push({
        row: rank.get(digest)!,
        evaluation: evaluations.indexOf(call.parent_id),
        trial: 0,
        category: categories.indexOf(categoryOf.get(digest)!),
        scores: [exact_match.correct, exact_match.picked, format.answered, format.chars],
        output: call.output.output.text,
      });
    }
    return trials.sort((a, b) => a.row - b.row || a.evaluation - b.evaluation);
  }

  function* rows(): Iterable<DatasetRow> {
    for (const line of linesOf(join(folder, "rows.jsonl"))) yield JSON.parse(line) as DatasetRow;
  }

  return {
    name: `MMLU-Pro, ${evaluations.length} evaluations`,
    project: "acme/mmlu-pro",
    evaluations,
    dimensions: DIMENSIONS,
    categories,
    digests,
    questions: {
      numeric: "chars",
      thresholds: [1000, 900, 1100, 1200],
      category: categories.indexOf("physics"),
      needles: ["Wikipedia", "theorem", "Newton", "gradient"],
      outputPath: ["text"],
    },
    trials: () => {
      known ??= readTrials();
      return known;
    },
    lines: (evaluation) => linesOf(path, { from: starts[evaluation]!, to: starts[evaluation + 1]! }),
    rows,
  };
}
