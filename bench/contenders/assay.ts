// Assay's engine.

import {
  createEvalEngine,
  type EvalEngine,
  type EvalResults,
  type EvalResultsSummary,
  memoryRows,
} from "@assay/eval-engine";
import type { Answer, EvaluationSummary } from "../answer.ts";
import type { Dataset } from "../dataset.ts";
import { lineCalls } from "../line-calls.ts";
import { ASSAY } from "../targets.ts";
import { requestOf, WORKLOADS } from "../workloads.ts";
import type { Contender } from "./contender.ts";

const GIB = 2 ** 30;

/** Builds the evaluations' columns. Takes request bodies as a client sends them, and parses them each time. */
export async function assayContender(dataset: Dataset): Promise<Contender & { readonly engine: EvalEngine }> {
  const engine = assayEngine(dataset);
  await engine.open(dataset.project, dataset.evaluations);
  return {
    name: ASSAY,
    engine,
    workloads: WORKLOADS,
    answer: async (workload, turn) =>
      readResults(dataset, await engine.query(dataset.project, requestOf(workload, dataset, turn)), {
        rows: !workload.startsWith("summary"),
        outputs: workload.startsWith("page"),
      }),
    close: async () => {},
  };
}

/** An engine over the data set's lines that has opened no evaluations yet. */
function assayEngine(dataset: Dataset): EvalEngine {
  const rows = memoryRows(Array.from(dataset.rows()));
  return createEvalEngine({ calls: lineCalls(dataset), rows, keepBytes: 16 * GIB });
}

function readResults(
  dataset: Dataset,
  { rows, total_rows, summary }: EvalResults,
  asked: { readonly rows: boolean; readonly outputs: boolean },
): Answer {
  const trials = () => rows.flatMap((row) => row.evaluations.flatMap((evaluation) => evaluation.trials));
  return {
    page: asked.rows ? { total: total_rows, digests: rows.map((row) => row.row_digest) } : null,
    outputs: asked.outputs ? trials().map((trial) => textOf(dataset, trial.model_output)) : null,
    summary: summary === null ? null : readSummary(dataset, summary),
  };
}

function textOf({ questions }: Dataset, output: unknown): string {
  return questions.outputPath.reduce(
    (value, key) => (value as Record<string, unknown>)[key],
    output,
  ) as string;
}

function readSummary({ dimensions }: Dataset, summary: EvalResultsSummary): Answer["summary"] {
  const evaluations = summary.evaluations.map(
    ({ evaluation_call_id, trial_count, scorer_stats }): EvaluationSummary => ({
      evaluation: evaluation_call_id,
      trials: trial_count,
      dimensions: dimensions.flatMap(({ column, scorer, path }) => {
        const stats = scorer_stats.find((one) => one.scorer_key === scorer && one.path === path);
        if (stats === undefined) return [];
        return [
          {
            column,
            trials: stats.trial_count,
            passed: stats.value_type === "binary" ? stats.pass_true_count : null,
            mean: stats.numeric_mean,
          },
        ];
      }),
    }),
  );
  return { rows: summary.row_count, evaluations };
}
