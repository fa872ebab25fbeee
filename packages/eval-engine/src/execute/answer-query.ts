// Answers a query whose evaluations are open: selects its rows, cuts the page, summarizes, and builds the response.

import { Work } from "../kernels/work.ts";
import type { Frame } from "../plan/frame/frame.ts";
import { frameOf } from "../plan/frame/frames.ts";
import { NO_PAGE, page } from "../plan/order.ts";
import { type Prepared, prepare } from "../plan/prepare.ts";
import { firstPart, mostOfPart, resolveRawRows, writeRows } from "../plan/rows.ts";
import { countRows, intersectEvaluations, matching, type Selection } from "../plan/select-rows.ts";
import { summarize } from "../plan/summarize.ts";
import { fieldAt } from "../query/field.ts";
import type { EvalResults, EvalResultsInParts, EvalResultsSummary } from "../query/response.ts";
import type { Opened } from "../segment/segments.ts";
import { summaryMetadata } from "../trials/summary.ts";
import type { QueryContext } from "./query-context.ts";
import type { AnswerFacts } from "./unproven.ts";

/** How the engine answered a query. */
export interface Explanation {
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

/** The rows of a frame that a query selects. */
export interface SelectedFrame {
  readonly prepared: Prepared;
  /** Whether the frame existed already. */
  readonly known: boolean;
  /** The rows that the filters select. */
  readonly matched: Selection | undefined;
  /** The rows of these that the view has. */
  readonly kept: Selection | undefined;
}

/** The rows of a frame that a query selects; the columns of all its fields are ready. */
export async function selectRowsOf(context: QueryContext): Promise<SelectedFrame> {
  const { rows: source, project, query, opened, frames, work } = context;
  const segments = opened.map(({ segment }) => segment);
  const { frame, kept: known } = await frameOf(segments, frames, work);
  const prepared = await prepare(query, frame, { source, project }, work);
  const matched = await matching(prepared, work);
  const kept = query.intersect ? await intersectEvaluations(frame, matched, work) : matched;
  return { prepared, known, matched, kept };
}

/** An answer whose rows are given by their numbers. */
interface PlannedAnswer {
  readonly frame: Frame;
  readonly rows: Uint32Array;
  readonly total_rows: number;
  readonly summary: EvalResultsSummary | null;
  readonly explanation: Explanation;
}

/** Answers a query, and reports how. */
export async function answerQuery(
  context: QueryContext,
): Promise<{ readonly results: EvalResults; readonly explanation: Explanation }> {
  const { explanation, frame, ...planned } = await planAnswer(context);
  const { rows, warnings } = await writtenRows(context, { frame, rows: planned.rows });
  context.work.check();
  return { results: { ...planned, rows, warnings }, explanation };
}

type WrittenRows = Pick<EvalResults, "rows" | "warnings">;

type RowsToWrite = Pick<PlannedAnswer, "frame" | "rows">;

/**
 * The same with rows built as they are read, until which `hold` keeps the evaluations open. `notes` get the first row,
 * if any, and the least number of rows that the filters select, and become warnings.
 */
export async function answerInParts(
  context: QueryContext,
  hold: () => () => void,
  notes: (facts: AnswerFacts) => Promise<readonly { readonly message: string }[]>,
): Promise<EvalResultsInParts> {
  const { frame, rows, total_rows, summary } = await planAnswer(context);
  // Here a damaged segment is rebuilt; a later part that meets one fails, and the next query has it whole.
  const part = firstPart(context.query, frame, rows, mostOfPart(context.query));
  const first = await writtenRows(context, { frame, rows: part });
  const kept = Math.max(total_rows, summary?.row_count ?? 0);
  const messages = (await notes({ kept, first: first.rows[0] })).map(({ message }) => message);
  const release = hold();
  const parts = partsOf(context, { frame, rows }, first, messages, release);
  return { row_count: rows.length, rows: heldBy(parts, release), total_rows, summary };
}

/** Builds the response of rows of a frame. */
async function writtenRows(context: QueryContext, { frame, rows }: RowsToWrite): Promise<WrittenRows> {
  const { query, work, project } = context;
  const written = await writeRows(query, frame, rows, work);
  return query.resolveRefs
    ? await resolveRawRows(written, context.rows, project)
    : { rows: written, warnings: [] };
}

async function* partsOf(
  context: QueryContext,
  { frame, rows }: RowsToWrite,
  first: WrittenRows,
  messages: readonly string[],
  release: () => void,
): EvalResultsInParts["rows"] {
  const warnings = new Set<string>();
  // A slow reader may take longer than the time limit of queries; a reader that disconnects returns the generator.
  const unlimited = { ...context, work: new Work(context.pause) };
  try {
    let part: WrittenRows | undefined = first;
    let most = mostOfPart(context.query);
    for (let i = 0; i < rows.length; ) {
      const some = firstPart(context.query, frame, rows.subarray(i), most);
      part ??= await writtenRows(unlimited, { frame, rows: some });
      i += some.length;
      for (const warning of part.warnings) warnings.add(warning);
      const written = part.rows;
      most = mostOfPart(context.query, written, most);
      // A reader that stops keeps only its unread part in memory.
      part = undefined;
      yield written;
    }
    return [...warnings, ...messages];
  } finally {
    release();
  }
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

async function planAnswer(context: QueryContext): Promise<PlannedAnswer> {
  const { query, opened, roots, work } = context;
  const { prepared, known, matched, kept } = await selectRowsOf(context);
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
          : [{ evaluation_call_id: query.evaluations[e]!, ...of, ...summaryMetadata(roots[e]) }],
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
      evaluations: opened.map(({ segment, opened: how }, e) => ({
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
