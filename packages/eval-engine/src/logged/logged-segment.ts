// The segment of an evaluation that a program logged as objects: what reading its calls would give.

import type { Json } from "@assay/base";
import { growableFloats } from "@assay/base/internal";
import { scoresOf } from "@assay/calls/internal";
import { SharedPayload } from "../columns/payload.ts";
import { ScoreColumns } from "../columns/score-columns.ts";
import type { Work } from "../kernels/work.ts";
import type { Segment } from "../segment/segment.ts";
import { segmentOf, type TrialColumns } from "../segment/written-segment.ts";
import { idsOf, type Loaded, outputOf, ROW_ID } from "./logged-evaluations.ts";

/** The segment of an evaluation. */
export function loggedSegment(evaluation: Loaded, work: Work): Promise<Segment> {
  return segmentOf(columnsOf(evaluation), work);
}

function columnsOf(evaluation: Loaded): TrialColumns {
  const { trials, self, rowOf, digests } = evaluation;
  const [latency, tokens] = [growableFloats(), growableFloats()];
  const [outputs, scores] = [[] as Json[], new ScoreColumns()];
  for (const [i, trial] of trials.entries()) {
    const output = outputOf(trial);
    outputs.push(output);
    scores.set(i, scoresOf(output));
    latency.push(typeof trial.latency === "number" ? trial.latency : Number.NaN);
    tokens.push(typeof trial.tokens === "number" ? Math.trunc(trial.tokens) : Number.NaN);
  }
  scores.extend(trials.length);
  return {
    ...{ rowOf, digests, latency, tokens, scores },
    outputs: (order) => new SharedPayload(Array.from(order, (i) => outputs[i]!)),
    startedAt: growableFloats(new Float64Array(trials.length).fill(Number.NaN)),
    ids: idsOf(evaluation),
    references: `${self}${ROW_ID}`,
  };
}
