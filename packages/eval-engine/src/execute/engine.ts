// The engine: answers requests. It reads the request, opens the segments, plans, and builds the response.

import { bad, type Cancellation, type Issue, ok, type Result } from "@assay/base";
import type { CallSource, RowSource, WrittenTrials } from "@assay/calls";
import { Work } from "../kernels/work.ts";
import type { ScoreDirections } from "../ports/score-directions.ts";
import type { SegmentStore } from "../ports/segment-store.ts";
import { type EvalResultsQueryBody, readRequest } from "../query/request.ts";
import type { EvalResults, EvalResultsInParts } from "../query/response.ts";
import { type AvailableSegment, rowLists, Segments } from "../segment/segments.ts";
import type { StatisticsAnswers, StatisticsQuestion } from "../statistics/statistics.ts";
import type { CompareBody, RankingBody, SlicesBody } from "../statistics/wire/body.ts";
import type { CompareResults, RankingResults, SlicesResults } from "../statistics/wire/response.ts";
import type { ViewAnswers } from "../view/view.ts";
import type { ViewQuestion } from "../view/wire/body.ts";
import { answerInParts, answerQuery, type Explanation, selectRowsOf } from "./answer-query.ts";
import { queryRunner } from "./query-context.ts";
import type { Selecting } from "./selections.ts";
import type { AnswerQuery } from "./unmet-names.ts";
import type { AnswerFacts } from "./unproven.ts";

/** The dependencies of an engine. */
export interface EvalEngineParts {
  /** The source of calls. */
  readonly calls: CallSource;
  /** The source of dataset rows. */
  readonly rows: RowSource;
  /** Saves columns for later processes. Absent: columns are only kept in memory. */
  readonly segments?: SegmentStore;
  /**
   * The directions that projects set for their scores. Absent: a direction comes only from the question, the measure's
   * name or its values.
   */
  readonly directions?: Pick<ScoreDirections, "get">;
  /**
   * Lets other work run during a long query: called about every ten milliseconds, for example `() => new
   * Promise((resume) => setImmediate(resume))`. Absent: a query runs without a break.
   */
  readonly pause?: () => Promise<void>;
  /**
   * The most bytes of columns to keep in memory between queries; the least recently used evaluations are dropped.
   * Default 4 GiB.
   */
  readonly keepBytes?: number;
}

/** How to answer a query. */
export interface QueryOptions {
  /**
   * `naive` answers with the executable specification instead of columns: the same answer, slowly. Default `columns`.
   */
  readonly plan?: "columns" | "naive";
  /** Cancels the query when aborted: the promise then rejects with a `cancelled` fault. */
  readonly signal?: Cancellation;
}

/** Answers evaluation queries over the calls and rows of its sources. */
export interface EvalEngine {
  /**
   * Answers a query about a project, `<entity>/<project>`. Throws a TypeError that lists every issue if the body is
   * invalid (`answer` returns them instead), and a `Fault` if a source fails.
   */
  query(project: string, body: EvalResultsQueryBody, options?: QueryOptions): Promise<EvalResults>;

  /** The same for an unchecked body: returns its issues, as `readRequest` reports them. */
  answer(project: string, body: unknown, options?: QueryOptions): Promise<Result<EvalResults>>;

  /** Like `answer`, with rows built as they are read: see `EvalResultsInParts`. */
  answerInParts(
    project: string,
    body: unknown,
    options?: Pick<QueryOptions, "signal">,
  ): Promise<Result<EvalResultsInParts>>;

  /** Answers a query and reports how. Throws as `query` does. */
  explain(project: string, body: EvalResultsQueryBody): Promise<Explanation>;

  /**
   * Compares every candidate with a baseline on the rows that a query selects, with intervals, p-values and a verdict
   * for each measure. Throws a TypeError that lists every issue if the body is invalid (`answerStatistics` returns
   * them instead), and a `Fault` if a source fails.
   */
  compare(project: string, body: CompareBody, options?: QueryOptions): Promise<CompareResults>;

  /** Compares a pair within each slice of its rows. Throws as `compare` does. */
  slices(project: string, body: SlicesBody, options?: QueryOptions): Promise<SlicesResults>;

  /** Ranks evaluations, with a range of places where the data leaves it open. Throws as `compare` does. */
  ranking(project: string, body: RankingBody, options?: QueryOptions): Promise<RankingResults>;

  /** Any of the three for an unchecked body: returns its issues. */
  answerStatistics<Question extends StatisticsQuestion>(
    question: Question,
    project: string,
    body: unknown,
    options?: QueryOptions,
  ): Promise<Result<StatisticsAnswers[Question]>>;

  /**
   * Answers a question of a page for an unchecked body: rows with previews (`page`), groups of rows (`groups`), or the
   * available fields (`fields`). Returns the body's issues.
   */
  answerView<Question extends ViewQuestion>(
    question: Question,
    project: string,
    body: unknown,
    options?: QueryOptions,
  ): Promise<Result<ViewAnswers[Question]>>;

  /**
   * Opens evaluations ahead of the first query: with a segment store, a later process then opens them fast. It also
   * loads the code that answers queries.
   */
  open(
    project: string,
    evaluations: readonly string[],
    options?: Pick<QueryOptions, "signal">,
  ): Promise<void>;

  /**
   * The same for an evaluation whose trials were just written: pass all of them. No calls are read, and without a segment
   * store nothing happens.
   */
  saveWritten(project: string, evaluation: string, trials: WrittenTrials): Promise<void>;
}

const GIB = 2 ** 30;

/** Loads statistics and views on demand: they are larger than the query's own code. */
const analysis = () => import("./analysis.ts");
const reference = () => import("../reference/index.ts");

let loaded: Promise<typeof import("./unmet-names.ts")> | undefined;
/** Checks names in queries. Loaded once, not with every answer. */
const names = () => (loaded ??= import("./unmet-names.ts"));

/** Loads the code that engines otherwise load when it is first needed. */
export function loadEngine(): Promise<unknown> {
  return Promise.all([analysis().then(({ loadStatistics }) => loadStatistics()), names(), rowLists()]);
}

/** Creates an engine over the given sources. It caches computed data until the calls change or memory runs short. */
export function createEvalEngine(parts: EvalEngineParts): EvalEngine {
  return engineOver(parts);
}

/** Like `createEvalEngine`, for evaluations whose columns may already be available: their calls are not read. */
export function engineOver(parts: EvalEngineParts, atHand?: AvailableSegment): EvalEngine {
  const segments = new Segments(parts.calls, parts.segments, parts.keepBytes ?? 4 * GIB, atHand);
  const run = queryRunner(parts, segments);

  /** Selects the rows for statistics and pages. */
  const selecting = (project: string, options: QueryOptions): Selecting => ({
    source: parts,
    project,
    naive: options.plan === "naive",
    work: new Work(parts.pause, options.signal),
    overRows: (query, use) =>
      run(project, query, options, async (context) =>
        use({ ...(await selectRowsOf(context)), roots: context.roots }, context.work),
      ),
  });

  const statistics = async <Question extends StatisticsQuestion>(
    question: Question,
    project: string,
    body: unknown,
    options?: QueryOptions,
  ): Promise<StatisticsAnswers[Question]> => {
    const answer = await engine.answerStatistics(question, project, body, options);
    if (!answer.ok) throw invalid(answer.issues);
    return answer.value;
  };

  const answering =
    (options: QueryOptions): AnswerQuery =>
    async (project, query) => {
      if (options.plan !== "naive") return (await run(project, query, options, answerQuery)).results;
      const { naive } = await reference();
      return naive(parts.calls, parts.rows, project, query);
    };

  const engine: EvalEngine = {
    async answer(project, body, options = {}) {
      const query = readRequest(body);
      if (!query.ok) return bad(query.issues);
      const answer = answering(options);
      const { withNameWarnings } = await names();
      return ok(await withNameWarnings(answer, project, query.value, await answer(project, query.value)));
    },
    async answerInParts(project, body, options = {}) {
      const query = readRequest(body);
      if (!query.ok) return bad(query.issues);
      const { unmetNames } = await names();
      const notes = (facts: AnswerFacts) => unmetNames(answering(options), project, query.value, facts);
      return ok(
        await run(project, query.value, options, (context, hold) => answerInParts(context, hold, notes)),
      );
    },
    async query(project, body, options) {
      const answer = await engine.answer(project, body, options);
      if (!answer.ok) throw invalid(answer.issues);
      return answer.value;
    },
    async explain(project, body) {
      const query = readRequest(body);
      if (!query.ok) throw invalid(query.issues);
      return (await run(project, query.value, {}, answerQuery)).explanation;
    },
    async answerStatistics(question, project, body, options = {}) {
      const { answerStatistics, selectRows } = await analysis();
      const select = selectRows(selecting(project, options));
      const { unmetNamesOfSelection } = await names();
      const unmet = unmetNamesOfSelection(answering(options), project);
      const { calls, directions } = parts;
      return answerStatistics(question, body, { project, calls, select, unmet, directions });
    },
    compare: (project, body, options) => statistics("compare", project, body, options),
    slices: (project, body, options) => statistics("slices", project, body, options),
    ranking: (project, body, options) => statistics("ranking", project, body, options),
    async answerView(question, project, body, options = {}) {
      const { answerView, selectView } = await analysis();
      const { unmetNamesOfSelection } = await names();
      const unmet = unmetNamesOfSelection(answering(options), project);
      const select = selectView(selecting(project, options));
      return answerView(question, body, { project, select, unmet, directions: parts.directions });
    },
    async open(project, evaluations, { signal } = {}) {
      await loadEngine();
      for (const evaluation of evaluations) {
        const work = new Work(parts.pause, signal);
        const { segment } = await segments.open(project, evaluation, work, { ahead: true });
        segments.close([segment]);
      }
    },
    saveWritten: (project, evaluation, trials) =>
      segments.saveWritten(project, evaluation, trials, new Work(parts.pause)),
  };
  return engine;
}

function invalid(issues: readonly Issue[]): TypeError {
  return new TypeError(issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));
}
