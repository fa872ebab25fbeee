// Builds the segment of an evaluation that a program provided as objects; equal to the segment built from its calls.

import type { Json } from "@assay/base";
import { growableBytes, growableFloats } from "@assay/base/internal";
import { scoresOf } from "@assay/calls/internal";
import { SharedPayload } from "../columns/payload.ts";
import { type ScoreColumn, ScoreColumns } from "../columns/score-columns.ts";
import { TAG, ValueColumn } from "../columns/value-column.ts";
import type { Work } from "../kernels/work.ts";
import type { Segment } from "../segment/segment.ts";
import { segmentOf, type WrittenColumns } from "../segment/written-segment.ts";
import { idsOf, type LoadedEvaluation, outputOf, ROW_ID, type Trials } from "./logged-evaluations.ts";

/** The segment of an evaluation. */
export function loggedSegment(evaluation: LoadedEvaluation, work: Work): Promise<Segment> {
  return segmentOf(columnsOf(evaluation), work);
}

/** The outputs of trials in an order, each made when it is read. */
class LoggedOutputs extends SharedPayload {
  private readonly trials: Trials;
  private readonly order: Uint32Array;

  constructor(trials: Trials, order: Uint32Array) {
    super();
    this.trials = trials;
    this.order = order;
  }

  override get length(): number {
    return this.order.length;
  }

  protected override item(i: number): Json {
    return outputOf(this.trials.at(this.order[i]!)!);
  }
}

function columnsOf(evaluation: LoadedEvaluation): WrittenColumns {
  const { trials, self, rowOf, digests } = evaluation;
  return {
    ...{ rowOf, digests },
    ...(columnsOfTable(trials) ?? columnsOfObjects(trials)),
    outputs: (order) => new LoggedOutputs(trials, order),
    startedAt: growableFloats(new Float64Array(trials.length).fill(Number.NaN)),
    ids: idsOf(evaluation),
    references: `${self}${ROW_ID}`,
  };
}

/** The measured values of trials. */
type Measured = Pick<WrittenColumns, "scores" | "latency" | "tokens">;

function columnsOfObjects(trials: Trials): Measured {
  const [latency, tokens] = [growableFloats(), growableFloats()];
  const scores = new ScoreColumns();
  for (let i = 0; i < trials.length; i++) {
    const trial = trials.at(i)!;
    scores.set(i, scoresOf(outputOf(trial)));
    if (typeof trial.latency === "number") latency.set(i, trial.latency);
    if (typeof trial.tokens === "number") tokens.set(i, Math.trunc(trial.tokens));
  }
  scores.extend(trials.length);
  return { scores, latency, tokens };
}

/** Undefined if trials are not available as columns, or some scores are texts or objects. */
function columnsOfTable({ columns: table }: Trials): Measured | undefined {
  if (table === undefined) return undefined;
  const columns: (ScoreColumn & { readonly first: number })[] = [];
  for (const { column, cells } of table.scores) {
    const values = valuesOf(cells);
    if (values === undefined) return undefined;
    const first = cells.findIndex((cell) => cell !== undefined && cell !== null);
    if (first !== -1) columns.push({ keys: [column], values, first });
  }
  // In the order in which they first appear.
  columns.sort((a, b) => a.first - b.first);
  const numbers = (cells: readonly (number | undefined)[]) =>
    growableFloats(Float64Array.from(cells, (cell) => cell ?? Number.NaN));
  return {
    scores: ScoreColumns.restore(columns, []),
    latency: numbers(table.latency),
    tokens: numbers(table.tokens.map((count) => count && Math.trunc(count))),
  };
}

/** Numbers and booleans as a column; undefined if there are other values. */
function valuesOf(cells: readonly unknown[]): ValueColumn | undefined {
  const tags = new Uint8Array(cells.length);
  const numbers = new Float64Array(cells.length).fill(Number.NaN);
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i];
    if (typeof cell === "number") {
      tags[i] = TAG.number;
      numbers[i] = cell;
    } else if (typeof cell === "boolean") {
      tags[i] = cell ? TAG.true : TAG.false;
      numbers[i] = Number(cell);
    } else if (cell !== undefined && cell !== null) return undefined;
  }
  return new ValueColumn(growableBytes(tags), growableFloats(numbers));
}
