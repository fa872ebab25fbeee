// The engine: answers requests. It reads the request, opens the segments, plans, and builds the response.

import { bad, type Cancellation, type Issue, ok, type Result } from "@assay/base";
import type { Call, CallSource, RowSource, WrittenTrials } from "@assay/calls";
import { Work } from "../kernels/work.ts";
import type { Frame } from "../plan/frame/frame.ts";
import { frameOf } from "../plan/frame/frames.ts";
import { NO_PAGE, page } from "../plan/order.ts";
import { type Prepared, prepare } from "../plan/prepare.ts";
import { firstPart, resolveRawRows, writeRows } from "../plan/rows.ts";
import { countRows, intersectEvaluations, matching, type Selection } from "../plan/select-rows.ts";
import { summarize } from "../plan/summarize.ts";
import type { ScoreDirections } from "../ports/score-directions.ts";
import type { SegmentStore } from "../ports/segment-store.ts";
import { fieldAt } from "../query/field.ts";
import { type EvalQuery, type EvalResultsQueryBody, readRequest } from "../query/request.ts";
import type { EvalResults, EvalResultsInParts, EvalResultsSummary } from "../query/response.ts";
import type { Segment } from "../segment/segment.ts";
import { type AvailableSegment, buildSegment, type Opened, rowLists, Segments } from "../segment/segments.ts";
import type { StatisticsAnswers, StatisticsQuestion } from "../statistics/statistics.ts";
import type { CompareBody, RankingBody, SlicesBody } from "../statistics/wire/body.ts";
import type { CompareResults, RankingResults, SlicesResults } from "../statistics/wire/response.ts";
import { summaryMetadata } from "../trials/summary.ts";
import type { ViewAnswers } from "../view/view.ts";
import type { ViewQuestion } from "../view/wire/body.ts";
import type { Selecting } from "./selections.ts";
import type { AnswerQuery } from "./unmet-names.ts";

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

/** How the engine answered a query. */
interface Explanation {
  /** The evaluations, in request order. */
  readonly evaluations: readonly {
    readonly evaluation_call_id: string;
    /**
     * `kept`: the columns were current; `updated`: they were kept, and only changes were read; `loaded`: read from the
     * segment store; `built`: made from the calls.
     */
    readonly opened: Opened;
    readonly trials: number;
    readonly rows: number;
    /** The approximate bytes of its columns. */
    readonly bytes: number;
  }[];
  /** The frame of all rows of the evaluations, and whether an earlier query had already built it. */
  readonly frame: { readonly rows: number; readonly kept: boolean };
  /**
   * The fields that filters and sort keys read, and whether each was a ready score column or made from the payload.
   */
  readonly fields: readonly { readonly field: string; readonly column: "score" | "payload" }[];
  /** The rows that the filters select, and how many of those the view and the summary have after intersection. */
  readonly rows: { readonly matching: number; readonly view: number; readonly summary: number };
  /**
   * How the page was cut from the view: in digest order, from the first rows of an order kept by an earlier query,
   * with a heap of the page's size, or by a full sort.
   */
  readonly order: "digest" | "kept" | "heap" | "sort" | "none";
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
  const frames: Frame[] = [];

  const run = async <T>(
    project: string,
    query: EvalQuery,
    options: QueryOptions,
    answer: (opened: OpenedAll, work: Work, hold: () => () => void) => Promise<T>,
  ): Promise<T> => {
    const work = new Work(parts.pause, options.signal);
    const reading: Segment[] = [];
    let held = false;
    const release = once(() => segments.close(reading));
    /** Keeps opened segments until the returned function is called. */
    const hold = () => {
      held = true;
      return release;
    };
    try {
      for (;;) {
        work.check();
        const opened = await openAll(parts.calls, segments, project, query.evaluations, work);
        reading.push(...opened.segments.map(({ segment }) => segment));
        try {
          return await answer(opened, work, hold);
        } catch (error) {
          // A damaged segment is rebuilt when it is opened again, and stays in memory while it is read, so each
          // evaluation gets here at most once.
          if (!opened.segments.some(({ segment }) => segment.damaged)) throw error;
        }
      }
    } finally {
      if (!held) release();
    }
  };

  const runQuery = (project: string, query: EvalQuery, options: QueryOptions): Promise<Answered> =>
    run(project, query, options, (opened, work) => answerFrom(parts, project, query, opened, frames, work));

  /** Selects the rows for statistics and pages. */
  const selecting = (project: string, options: QueryOptions): Selecting => ({
    source: parts,
    project,
    naive: options.plan === "naive",
    work: new Work(parts.pause, options.signal),
    overRows: (query, use) =>
      run(project, query, options, async (opened, work) =>
        use(
          { ...(await selectRowsOf(parts, project, query, opened, frames, work)), roots: opened.roots },
          work,
        ),
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
      if (options.plan !== "naive") return (await runQuery(project, query, options)).results;
      const { naive } = await reference();
      return naive(parts.calls, parts.rows, project, query);
    };

  const engine: EvalEngine = {
    async answer(project, body, options = {}) {
      const query = readRequest(body);
      if (!query.ok) return bad(query.issues);
      const answer = answering(options);
      const { withNameWarnings: warned } = await names();
      return ok(await warned(answer, project, query.value, await answer(project, query.value)));
    },
    async answerInParts(project, body, options = {}) {
      const query = readRequest(body);
      if (!query.ok) return bad(query.issues);
      return ok(
        await run(project, query.value, options, async (opened, work, hold) => {
          const planned = await planFrom(parts, project, query.value, opened, frames, work);
          const { frame, rows, total_rows, summary } = planned;
          // Here a damaged segment is rebuilt; a later part that meets one fails, and the next query has it whole.
          const begin = { frame, rows: firstPart(query.value, frame, rows), work };
          const first = await writtenRows(parts, project, query.value, begin);
          const kept = Math.max(total_rows, summary?.row_count ?? 0);
          const { unmetNames } = await names();
          const notes = await unmetNames(answering(options), project, query.value, {
            kept,
            first: first.rows[0],
          });
          const release = hold();
          const said = notes.map(({ message }) => message);
          const written = partsOf(parts, project, query.value, { frame, rows, first, said }, release);
          return { row_count: rows.length, rows: heldBy(written, release), total_rows, summary };
        }),
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
      return (await runQuery(project, query.value, {})).explanation;
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

/** The rows of a frame that a query selects; the columns of all its fields are ready. */
async function selectRowsOf(
  parts: EvalEngineParts,
  project: string,
  query: EvalQuery,
  opened: OpenedAll,
  frames: Frame[],
  work: Work,
): Promise<SelectedFrame> {
  const segments = opened.segments.map(({ segment }) => segment);
  const { frame, kept: known } = await frameOf(segments, frames, work);
  const prepared = await prepare(query, frame, { source: parts.rows, project }, work);
  const matched = await matching(prepared, work);
  const kept = query.intersect ? await intersectEvaluations(frame, matched, work) : matched;
  return { prepared, known, matched, kept };
}

interface SelectedFrame {
  readonly prepared: Prepared;
  /** Whether the frame existed already. */
  readonly known: boolean;
  /** The rows that the filters select. */
  readonly matched: Selection | undefined;
  /** The rows of these that the view has. */
  readonly kept: Selection | undefined;
}

/** A generator that calls `release` even if it is returned before it starts. */
function heldBy(rows: EvalResultsInParts["rows"], release: () => void): EvalResultsInParts["rows"] {
  const end = rows.return.bind(rows);
  rows.return = (value) => {
    release();
    return end(value);
  };
  return rows;
}

/** Calls `act` once, however often it is called. */
function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

function invalid(issues: readonly Issue[]): TypeError {
  return new TypeError(issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));
}

interface Answered {
  readonly results: EvalResults;
  readonly explanation: Explanation;
}

interface OpenedAll {
  readonly segments: readonly { readonly segment: Segment; readonly opened: Opened }[];
  readonly roots: readonly (Call | undefined)[];
}

async function openAll(
  calls: CallSource,
  segments: Segments,
  project: string,
  evaluations: readonly string[],
  work: Work,
): Promise<OpenedAll> {
  // Columns are read while a database looks for the calls.
  const finding = Promise.resolve(calls.calls(project, evaluations));
  finding.catch(() => {});
  const opened: { segment: Segment; opened: Opened }[] = [];
  try {
    for (const evaluation of evaluations) opened.push(await segments.open(project, evaluation, work));
    const roots = await finding;
    for (const [e, evaluation] of evaluations.entries()) {
      // An evaluation that is itself a child of another requested one is not one of its trials.
      const children = evaluations.filter((_, i) => roots[i]?.parent_id === evaluation);
      if (children.length === 0) continue;
      const segment = await buildSegment(calls, project, evaluation, 0, work, new Set(children));
      segment.beginReading();
      opened[e]!.segment.endReading();
      opened[e] = { segment, opened: "built" };
    }
    return { segments: opened, roots };
  } catch (error) {
    for (const { segment } of opened) segment.endReading();
    throw error;
  }
}

/** An answer whose rows are given by their numbers. */
interface Planned {
  readonly frame: Frame;
  readonly rows: Uint32Array;
  readonly total_rows: number;
  readonly summary: EvalResultsSummary | null;
  readonly explanation: Explanation;
}

async function answerFrom(
  parts: EvalEngineParts,
  project: string,
  query: EvalQuery,
  opened: OpenedAll,
  frames: Frame[],
  work: Work,
): Promise<Answered> {
  const { frame, explanation, ...planned } = await planFrom(parts, project, query, opened, frames, work);
  const { rows, warnings } = await writtenRows(parts, project, query, { frame, rows: planned.rows, work });
  work.check();
  return { results: { ...planned, rows, warnings }, explanation };
}

type WrittenRows = Pick<EvalResults, "rows" | "warnings">;

/** Builds the response of rows of a frame. */
async function writtenRows(
  parts: EvalEngineParts,
  project: string,
  query: EvalQuery,
  { frame, rows, work }: { readonly frame: Frame; readonly rows: Uint32Array; readonly work: Work },
): Promise<WrittenRows> {
  const written = await writeRows(query, frame, rows, work);
  return query.resolveRefs
    ? await resolveRawRows(written, parts.rows, project)
    : { rows: written, warnings: [] };
}

async function* partsOf(
  parts: EvalEngineParts,
  project: string,
  query: EvalQuery,
  {
    frame,
    rows,
    first,
    said,
  }: Pick<Planned, "frame" | "rows"> & { readonly first: WrittenRows; readonly said: readonly string[] },
  release: () => void,
): EvalResultsInParts["rows"] {
  const warnings = new Set<string>();
  // A slow reader may take longer than the time limit of queries; a reader that disconnects returns the generator.
  const work = new Work(parts.pause);
  try {
    let part: WrittenRows | undefined = first;
    for (let i = 0; i < rows.length; ) {
      const some = { frame, rows: firstPart(query, frame, rows.subarray(i)), work };
      part ??= await writtenRows(parts, project, query, some);
      i += some.rows.length;
      for (const warning of part.warnings) warnings.add(warning);
      const written = part.rows;
      // A reader that stops keeps only its unread part in memory.
      part = undefined;
      yield written;
    }
    return [...warnings, ...said];
  } finally {
    release();
  }
}

async function planFrom(
  parts: EvalEngineParts,
  project: string,
  query: EvalQuery,
  opened: OpenedAll,
  frames: Frame[],
  work: Work,
): Promise<Planned> {
  const { prepared, known, matched, kept } = await selectRowsOf(parts, project, query, opened, frames, work);
  const { frame } = prepared;
  const viewRows = countRows(frame, kept);
  const cut = query.rows ? await page(prepared, kept, work) : NO_PAGE;
  const summarized = query.summaryIntersect ? await intersectEvaluations(frame, matched, work) : matched;
  const summaryRows = countRows(frame, summarized);
  let summary: EvalResultsSummary | null = null;
  if (query.summary) {
    const statistics = await summarize(prepared, summarized, work);
    summary = {
      row_count: summaryRows,
      evaluations: statistics.flatMap((of, e) =>
        of === undefined
          ? []
          : [{ evaluation_call_id: query.evaluations[e]!, ...of, ...summaryMetadata(opened.roots[e]) }],
      ),
    };
  }
  work.check();
  return {
    frame,
    rows: cut.rows,
    total_rows: viewRows,
    summary,
    explanation: {
      evaluations: opened.segments.map(({ segment, opened: how }, e) => ({
        evaluation_call_id: query.evaluations[e]!,
        opened: how,
        trials: segment.trials - segment.removed,
        rows: segment.rows,
        bytes: segment.size,
      })),
      frame: { rows: frame.length, kept: known },
      fields: prepared.fields.map((path) => ({
        field: path.join("."),
        column:
          fieldAt(path).of === "scores" &&
          frame.segments.every(({ parts: { scores } }) => scores.find(path.slice(1)) !== undefined)
            ? "score"
            : "payload",
      })),
      rows: { matching: countRows(frame, matched), view: viewRows, summary: summaryRows },
      order: cut.order,
    },
  };
}
