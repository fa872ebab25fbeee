// Seeded evaluations of any size. Every value is a function of (seed, row, evaluation, trial), so any trial can be
// regenerated at any time, in any order, without keeping the others.

import { createHash } from "node:crypto";
import type { Dataset, DatasetRow, Dimension, Score, Trial } from "./dataset.ts";

/** The number of rows, and what is random about them. */
export interface SyntheticOptions {
  readonly rows: number;
  /** Default 1. */
  readonly seed?: number;
  /** Default 4. */
  readonly evaluations?: number;
  /** Trials per row and evaluation; default 2. */
  readonly trials?: number;
  /** Whether `inputs.example` is the row itself instead of a reference to it; default false. */
  readonly inline?: boolean;
}

const MISSING_SHARE = 0.1;
const NULL_SHARE = 0.05;

const CATEGORIES = [
  "biology",
  "business",
  "chemistry",
  "computer science",
  "economics",
  "engineering",
  "health",
  "history",
  "law",
  "math",
  "other",
  "philosophy",
  "physics",
  "psychology",
];

const DIMENSIONS: readonly Dimension[] = [
  { column: "quality", scorer: "quality", path: null, type: "continuous" },
  { column: "correct", scorer: "correct", path: null, type: "binary" },
  { column: "toxicity", scorer: "toxicity", path: null, type: "continuous" },
  { column: "clarity", scorer: "rubric", path: "clarity", type: "continuous" },
  { column: "depth", scorer: "rubric", path: "depth.score", type: "continuous" },
  { column: "deep", scorer: "rubric", path: "depth.passed", type: "binary" },
  { column: "safe", scorer: "safe", path: null, type: "binary" },
  { column: "words", scorer: "words", path: null, type: "continuous" },
];

// The finaliser of MurmurHash3: every input bit affects every output bit.
function mix(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Random numbers that depend only on (seed, a, b) and their position. */
function draws(seed: number, a: number, b: number): () => number {
  let state = mix(mix(mix(seed) + a) + Math.imul(b + 1, 0x9e3779b1));
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mix(state) / 0x1_0000_0000;
  };
}

const SYLLABLES = [
  "ka",
  "lo",
  "mi",
  "ren",
  "tas",
  "ven",
  "or",
  "shi",
  "du",
  "pel",
  "gan",
  "ix",
  "ba",
  "ell",
  "un",
  "fra",
];
// One sentence in 32 has non-ASCII characters, as in real answers.
const FOREIGN = [" café", " naïve", " Größe", " 東京", " 🙂"];
const NEEDLES = ["quokka", "numbat", "bilby", "potoroo"];

/** Sentences for outputs; two of them contain each needle. */
function sentences(seed: number): readonly string[] {
  return Array.from({ length: 4096 }, (_, i) => {
    const next = draws(seed, i, 0x5e17);
    const words = Array.from({ length: 7 + Math.floor(next() * 5) }, () =>
      Array.from(
        { length: 1 + Math.floor(next() * 3) },
        () => SYLLABLES[Math.floor(next() * SYLLABLES.length)],
      ).join(""),
    );
    const foreign = i % 32 === 0 ? FOREIGN[(i / 32) % FOREIGN.length] : "";
    const needle = i % 512 === 100 ? ` ${NEEDLES[Math.floor(i / 512) % NEEDLES.length]}` : "";
    return `The ${words.join(" ")}${foreign}${needle}.`;
  });
}

const sha256 = (text: string) =>
  createHash("sha256").update(text).digest("base64url").replaceAll("-", "X").replaceAll("_", "Y");

/** Evaluations over `rows` questions; each evaluation misses one question in ten. */
export function synthetic(options: SyntheticOptions): Dataset {
  const {
    rows,
    seed = 1,
    evaluations: evaluationCount = 4,
    trials: trialCount = 2,
    inline = false,
  } = options;
  const project = "acme/bench";
  const pool = sentences(seed);
  const evaluations = Array.from({ length: evaluationCount }, (_, e) => `evaluation-${e}`);

  const categoryOf = (id: number) => Math.floor(draws(seed, id, 1)() * CATEGORIES.length);
  const present = (id: number, e: number) => draws(seed, id, 2 + e)() >= MISSING_SHARE;
  const rowOf = (id: number) => ({
    category: CATEGORIES[categoryOf(id)]!,
    id,
    question: pool[mix(seed + id) % pool.length]!,
  });
  // The canonical JSON of a row (docs/reference/semantics.md, "Row identity"): keys sorted, ", " and ": ", non-ASCII escaped.
  const canonicalOf = (id: number) => {
    const row = rowOf(id);
    const question = JSON.stringify(row.question).replace(
      /[\u007f-\uffff]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    return `{"category": ${JSON.stringify(row.category)}, "id": ${id}, "question": ${question}}`;
  };

  const digestOf = Array.from({ length: rows }, (_, id) => sha256(canonicalOf(id)));
  const idByRank = Uint32Array.from(digestOf.keys());
  idByRank.sort((a, b) => (digestOf[a]! < digestOf[b]! ? -1 : 1));

  // Scores are multiples of 1/1024: means and differences are exact, so equal scores are real ties, which every
  // contender must break by digest.
  const grid = (x: number) => Math.floor(x * 1024) / 1024;
  const scoresOf = (id: number, e: number, t: number): readonly Score[] => {
    const next = draws(seed, id, 100 + e * trialCount + t);
    const maybe = (value: Score) => (next() < NULL_SHARE ? null : value);
    const skill = 0.4 + 0.1 * e;
    return [
      maybe(grid(next())),
      maybe(next() < skill),
      maybe(grid(next() * next())),
      maybe(1 + Math.floor(next() * 5)),
      maybe(grid(next())),
      maybe(next() < skill),
      maybe(next() < 0.95),
      maybe(20 + Math.floor(next() * 400)),
    ];
  };
  const outputOf = (id: number, e: number, t: number) => {
    const next = draws(seed, id, 10_000 + e * trialCount + t);
    let text = pool[Math.floor(next() * pool.length)]!;
    for (let more = 1 + Math.floor(next() * 4); more > 0; more--)
      text += ` ${pool[Math.floor(next() * pool.length)]}`;
    return text;
  };

  function* trials(): Iterable<Trial> {
    for (let row = 0; row < rows; row++) {
      const id = idByRank[row]!;
      const category = categoryOf(id);
      for (let evaluation = 0; evaluation < evaluationCount; evaluation++) {
        if (!present(id, evaluation)) continue;
        for (let trial = 0; trial < trialCount; trial++) {
          const scores = scoresOf(id, evaluation, trial);
          yield { row, evaluation, trial, category, scores, output: outputOf(id, evaluation, trial) };
        }
      }
    }
  }

  // Concatenates lines by hand: stringifying seven million calls would take longer than all measurements. Nothing in
  // them needs escaping, and the data set's laws check that they parse.
  function* lines(e: number): Iterable<string> {
    const ref = (name: string) => `weave:///${project}/${name}:v1`;
    const time = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
    const [root, model] = [evaluations[e]!, ref(`object/model-${e}`)];
    const head = (id: string, parent: string, name: string, op: string, from: number, to: number) =>
      `{"project_id":"${project}","id":"${id}","trace_id":"${root}","parent_id":${parent},` +
      `"op_name":"${ref(`op/${op}`)}","display_name":${name},"started_at":"${time(from)}",` +
      `"ended_at":"${time(to)}","exception":null,"attributes":{},` +
      `"inputs":{"self":"${ref("object/bench")}","model":"${model}"`;
    const start = e * 86_400_000;
    const end = start + rows * trialCount * 20 + 5000;
    yield `${head(root, "null", `"model ${e}"`, "Evaluation.evaluate", start, end)}},"output":null,"summary":{}}`;
    for (let t = 0; t < trialCount; t++) {
      for (let id = 0; id < rows; id++) {
        if (!present(id, e)) continue;
        const [quality, correct, toxicity, clarity, depth, deep, safe, words] = scoresOf(id, e, t);
        const at = start + (t * rows + id) * 20;
        const latency = 100 + (mix(id + e) % 2000);
        const example = inline
          ? JSON.stringify(rowOf(id))
          : `"${ref("object/questions")}/attr/rows/id/${digestOf[id]}"`;
        yield head(
          `${root}-${id}-${t}`,
          `"${root}"`,
          "null",
          "Evaluation.predict_and_score",
          at,
          at + latency,
        ) +
          `,"example":${example}},"output":{"output":"${outputOf(id, e, t)}","scores":{"quality":${quality},` +
          `"correct":${correct},"toxicity":${toxicity},"rubric":{"clarity":${clarity},"depth":{"score":${depth},` +
          `"passed":${deep}}},"safe":${safe},"words":${words}},"model_latency":${latency / 1000}},` +
          `"summary":{"usage":{"model-${e}":{"requests":1,"total_tokens":${200 + (mix(id) % 300)}}}}}`;
      }
    }
  }

  function* datasetRows(): Iterable<DatasetRow> {
    for (let id = 0; id < rows; id++) yield { digest: digestOf[id]!, val: rowOf(id) };
  }

  return {
    name: `${rows} rows × ${evaluationCount} evaluations × ${trialCount} trials`,
    project,
    evaluations,
    dimensions: DIMENSIONS,
    categories: CATEGORIES,
    digests: Array.from(idByRank, (id) => digestOf[id]!),
    questions: {
      numeric: "quality",
      thresholds: [0.9, 0.85, 0.95, 0.8],
      category: 12,
      needles: NEEDLES,
      outputPath: [],
    },
    trials,
    lines,
    rows: datasetRows,
  };
}
