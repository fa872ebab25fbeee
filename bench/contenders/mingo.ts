// mingo over plain objects: how a JavaScript program queries its trials without a database.

import { Aggregator, Context, Query } from "mingo";
import * as accumulator from "mingo/operators/accumulator";
import * as expression from "mingo/operators/expression";
import * as pipeline from "mingo/operators/pipeline";
import * as query from "mingo/operators/query";
import type { Answer } from "../answer.ts";
import type { Dataset, Score } from "../dataset.ts";
import { PAGE, SORTED_EVALUATION, type Turn, turnOf, type Workload } from "../workloads.ts";
import type { Contender } from "./contender.ts";

interface Document {
  readonly row: number;
  readonly evaluation: number;
  readonly category: number;
  readonly score: Score;
  readonly output: string | null;
}

interface Group {
  readonly _id: number;
}

/**
 * Keeps one flat object per trial, with only the fields that the workloads read. `texts` decides whether it keeps
 * outputs and answers "text".
 */
export function mingoContender(dataset: Dataset, options: { readonly texts: boolean }): Contender {
  const context = Context.init({ accumulator, expression, pipeline, query });
  const { category, numeric } = dataset.questions;
  const numericAt = dataset.dimensions.findIndex((d) => d.column === numeric);
  const documents: Document[] = [];
  for (const { row, evaluation, category, scores, output } of dataset.trials())
    documents.push({
      row,
      evaluation,
      category,
      score: scores[numericAt]!,
      output: options.texts ? output : null,
    });

  const run = (steps: readonly object[], from: readonly unknown[]) =>
    new Aggregator(steps as never, { context }).run(from as never) as unknown as Group[];
  const page = (groups: readonly Group[], key: object): Answer => ({
    page: {
      total: groups.length,
      digests: run([{ $sort: { ...key, _id: 1 } }, { $limit: PAGE }], groups).map(
        (group) => dataset.digests[group._id]!,
      ),
    },
    outputs: null,
    summary: null,
  });

  const answers: Readonly<Partial<Record<Workload, (turn: Turn) => Answer>>> = {
    // Grouping by a number twice is twice as fast as grouping by an object or with a condition per evaluation.
    difference: () => {
      const ofEvaluation = { $add: [{ $multiply: ["$row", dataset.evaluations.length] }, "$evaluation"] };
      const groups = run(
        [
          { $group: { _id: ofEvaluation, row: { $first: "$row" }, mean: { $avg: "$score" } } },
          {
            $group: {
              _id: "$row",
              high: { $max: "$mean" },
              low: { $min: "$mean" },
              known: { $sum: { $cond: [{ $eq: ["$mean", null] }, 0, 1] } },
            },
          },
          {
            $project: {
              difference: { $cond: [{ $gte: ["$known", 2] }, { $subtract: ["$high", "$low"] }, null] },
            },
          },
        ],
        documents,
      );
      return page(groups, { difference: -1 });
    },
    filter: ({ threshold }) => {
      const own = { $cond: [{ $eq: ["$evaluation", SORTED_EVALUATION] }, "$score", null] };
      const groups = run(
        [
          { $match: { category } },
          { $group: { _id: "$row", best: { $max: "$score" }, score: { $avg: own } } },
          { $match: { best: { $gt: threshold } } },
        ],
        documents,
      );
      return page(groups, { score: -1 });
    },
    ...(options.texts && {
      text: ({ needle }) => {
        const found = new Query({ output: new RegExp(needle) }, { context }).find<Document>(documents).all();
        const rows = new Set(found.map((document) => document.row));
        return page(
          Array.from(rows, (row) => ({ _id: row })),
          {},
        );
      },
    }),
  };
  return {
    name: "mingo",
    workloads: Object.keys(answers) as Workload[],
    answer: async (workload, turn) => answers[workload]!(turnOf(dataset, turn)),
    close: async () => {
      documents.length = 0;
    },
  };
}
