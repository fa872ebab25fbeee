// What a comparison says of drawn rows: its own choice of methods, and its warnings. Nothing is chosen here.

import type { Interval } from "@assay/statistics";
import { BufferPool } from "../src/kernels/buffer-pool.ts";
import { Work } from "../src/kernels/work.ts";
import {
  type Difference,
  type DifferenceOptions,
  pairedDifference,
} from "../src/statistics/differences/difference.ts";
import { type Side, sideOf } from "../src/statistics/differences/side.ts";
import { unpairedDifference } from "../src/statistics/differences/unpaired-difference.ts";
import { hasFewClusters, hasFewRows } from "../src/statistics/warnings.ts";
import { clustersOf, type Design, type Quantity } from "./quantities.ts";

/** The level of every interval here. */
export const LEVEL = 0.95;

/** Resamples of the bootstrap here; an answer has 10,000, which take ten times as long. */
export const RESAMPLES = 1000;

/** How a comparison is asked. */
export interface Question extends Design {
  readonly quantity: Quantity;
  /** Whether the clusters of rows are not said. */
  readonly pooled?: boolean | undefined;
  /** Whether rates are taken for means of any numbers. */
  readonly unbounded?: boolean | undefined;
  /** Whether intervals are made by resampling. */
  readonly bootstrap?: boolean | undefined;
  /** Whether it is looked at again and again. */
  readonly anytime?: boolean | undefined;
}

/** What is said; null where nothing is. */
export interface Finding {
  readonly interval: Interval | null;
  readonly p: number | null;
  /** Whether a warning says that the interval may be too narrow. */
  readonly warned: boolean;
}

function optionsOf(question: Question): DifferenceOptions {
  return {
    kind: question.quantity.isBoolean && question.unbounded !== true ? "boolean" : "number",
    direction: "higher",
    level: LEVEL,
    clustered: question.clusters !== undefined && question.pooled !== true,
    bootstrapSeed: question.bootstrap === true ? 0 : undefined,
    resamples: RESAMPLES,
    anytime: question.anytime === true ? { alpha: 1 - LEVEL, rows: 500 } : undefined,
    room: new BufferPool(),
  };
}

const clusterOf = (question: Question): Int32Array | undefined =>
  optionsOf(question).clustered ? clustersOf(question) : undefined;

function side(values: Float64Array, question: Question): Promise<Side> {
  const options = optionsOf(question);
  const trials = values.length * question.trials;
  const table = { values, counts: undefined, trials, missing: 0, clusterOf: clusterOf(question) };
  return sideOf(table, options.kind, options, new Work());
}

/** What is said of one evaluation with these row values. */
export async function ofOne(values: Float64Array, question: Question): Promise<Finding> {
  const { answer, skewed, effectiveClusters } = await side(values, question);
  return found(answer.interval, null, { rows: answer.rows, skewed, effectiveClusters });
}

/** What is said of two evaluations of the same rows. */
export async function ofPairs(a: Float64Array, b: Float64Array, question: Question): Promise<Finding> {
  const pairs = { a, b, counts: undefined, clusterOf: clusterOf(question) };
  return ofDifference(await pairedDifference(pairs, optionsOf(question), new Work()));
}

/** What is said of two evaluations of different rows. */
export async function ofDifferentRows(
  a: Float64Array,
  b: Float64Array,
  question: Question,
): Promise<Finding> {
  const [first, second] = [await side(a, question), await side(b, question)];
  return ofDifference(unpairedDifference(first, second, optionsOf(question)));
}

function ofDifference({ interval, p, ...of }: Difference): Finding {
  return found(interval, p, of);
}

function found(
  interval: Interval | null,
  p: number | null,
  { rows, skewed, effectiveClusters }: Pick<Difference, "rows" | "skewed" | "effectiveClusters">,
): Finding {
  return {
    interval,
    p,
    warned: skewed || hasFewRows(interval, rows) || hasFewClusters({ effectiveClusters }),
  };
}
