// An execution over a database that evaluates queries itself: builds the response from the data that it selects, orders
// and counts. Never loads more than the page.

import { bad, Fault, type Json, ok } from "@assay/base";
import type { Call, CallSource, RowSource } from "@assay/calls";
import { exactSum } from "@assay/statistics/exact";
import { type AnswerQuery, unmetNamesOfSelection, withNameWarnings } from "../execute/unmet-names.ts";
import { Work } from "../kernels/work.ts";
import { resolveRawRows } from "../plan/rows.ts";
import type { EvalExecution } from "../ports/execution.ts";
import type { ScoreDirections } from "../ports/score-directions.ts";
import type { TrialColumnSource } from "../ports/trial-columns.ts";
import type { EvaluationTrial, QueriedTrials, TrialQuery } from "../ports/trial-store.ts";
import { type EvalQuery, readRequest } from "../query/request.ts";
import type { EvalResults, EvalResultsRow, EvalResultsSummary } from "../query/response.ts";
import type { EvalStatistics } from "../statistics/execution.ts";
import { answerStatistics } from "../statistics/statistics.ts";
import { summaryMetadata } from "../trials/summary.ts";
import { trialResponse } from "../trials/trial-response.ts";
import { compareTrials, type Trial } from "../trials/trials.ts";
import { pushedRows } from "./pushed-rows.ts";
import { statisticsOf } from "./score-schema.ts";

/** The sources of a pushed-down execution. */
export interface PushedExecutionParts {
  /** The database that evaluates queries. */
  readonly trials: TrialColumnSource;
  /** The same calls; only the evaluations' roots are read. */
  readonly calls: Pick<CallSource, "calls">;
  /** The dataset rows; only those of the page are read. */
  readonly rows: RowSource;
  /** The directions that projects set for their scores; see `EvalEngineParts`. */
  readonly directions?: Pick<ScoreDirections, "get">;
  /** Lets other work run during long statistics; see `EvalEngineParts`. */
  readonly pause?: () => Promise<void>;
}

/** The number of rows whose payloads are in memory while a long page is built. */
const ROWS_AT_ONCE = 500;

/**
 * An execution that pushes every query down whole: narrow columns first, then the payloads of the page. For statistics
 * questions it pushes the selection down and computes over the returned columns; slices must name their fields.
 */
export function pushedExecution(parts: PushedExecutionParts): EvalExecution & EvalStatistics {
  const answering =
    (signal: TrialQuery["signal"]): AnswerQuery =>
    (project, query) =>
      answerPushed(parts, { project, query, signal });
  return {
    answerStatistics: (question, project, body, { signal } = {}) =>
      answerStatistics(question, body, {
        project,
        calls: parts.calls,
        unmet: unmetNamesOfSelection(answering(signal), project),
        directions: parts.directions,
        select: async (query, requested, use) => {
          const of = { project, query, signal };
          check(of);
          const source = { trials: parts.trials.open(of), calls: parts.calls };
          return use(await pushedRows(source, of, requested), new Work(parts.pause, signal));
        },
      }),
    async answer(project, body, { signal } = {}) {
      const query = readRequest(body);
      if (!query.ok) return bad(query.issues);
      const answer = answering(signal);
      return ok(await withNameWarnings(answer, project, query.value, await answer(project, query.value)));
    },
  };
}

async function answerPushed(parts: PushedExecutionParts, of: TrialQuery): Promise<EvalResults> {
  const { project, query } = of;
  check(of);
  if (query.evaluations.length === 0) {
    const summary = query.summary ? { row_count: 0, evaluations: [] } : null;
    return { rows: [], total_rows: 0, summary, warnings: [] };
  }
  const trials = parts.trials.open(of);
  // Queries that are expensive for the database run in turn, with the roots in parallel.
  const [{ total, digests }, roots] = await Promise.all([
    trials.page(),
    query.summary ? parts.calls.calls(project, query.evaluations) : [],
  ]);
  check(of);
  const written: EvalResultsRow[] = [];
  for (let at = 0; at < digests.length; at += ROWS_AT_ONCE) {
    const some = digests.slice(at, at + ROWS_AT_ONCE);
    written.push(...rowsOf(query, some, await trials.trials(some)));
    check(of);
  }
  const { rows, warnings } = query.resolveRefs
    ? await resolveRawRows(written, parts.rows, project)
    : { rows: written, warnings: [] };
  const summary = query.summary ? await summarize(trials, query, total, roots) : null;
  check(of);
  return { rows, total_rows: total, summary, warnings };
}

function check({ signal }: TrialQuery): void {
  if (signal?.aborted === true) throw new Fault("cancelled", "the query was cancelled");
}

function rowsOf(
  query: EvalQuery,
  digests: readonly string[],
  found: readonly EvaluationTrial[],
): EvalResultsRow[] {
  const byRow = new Map<string, Map<string, Trial[]>>();
  for (const { evaluation, trial } of found) {
    const row = byRow.get(trial.digest) ?? new Map<string, Trial[]>();
    byRow.set(trial.digest, row);
    const trials = row.get(evaluation);
    if (trials === undefined) row.set(evaluation, [trial]);
    else trials.push(trial);
  }
  return digests.map((digest): EvalResultsRow => {
    const row = byRow.get(digest) ?? new Map<string, Trial[]>();
    const evaluations = query.evaluations.flatMap((id) => {
      const trials = row.get(id)?.sort(compareTrials);
      return trials === undefined ? [] : [{ id, trials }];
    });
    const example: Json =
      evaluations.flatMap(({ trials }) => trials).find((trial) => trial.example !== null)?.example ?? null;
    return {
      row_digest: digest,
      raw_data_row: query.rawRows ? example : null,
      evaluations: evaluations.map(({ id, trials }) => ({
        evaluation_call_id: id,
        trials: trials.map((trial) => trialResponse(query, trial)),
      })),
    };
  });
}

async function summarize(
  trials: QueriedTrials,
  query: EvalQuery,
  total: number,
  roots: readonly (Call | undefined)[],
): Promise<EvalResultsSummary> {
  const counted = new Map((await trials.counts()).map((counts) => [counts.evaluation, counts]));
  return {
    row_count: query.summaryIntersect === query.intersect ? total : await trials.countSummaryRows(),
    evaluations: query.evaluations.flatMap((id, i) => {
      const counts = counted.get(id);
      if (counts === undefined || counts.shapes.length === 0) return [];
      return [
        {
          evaluation_call_id: id,
          trial_count: counts.shapes.reduce((sum, shape) => sum + shape.trials, 0),
          scorer_stats: statisticsOf(counts),
          predict_total_tokens: counts.tokens.trials === 0 ? null : exactSum(counts.tokens.numbers),
          ...summaryMetadata(roots[i]),
        },
      ];
    }),
  };
}
