// What the steps of one query share: its sources, its open evaluations, and its work.

import type { Cancellation } from "@assay/base";
import type { Call, CallSource, RowSource } from "@assay/calls";
import { Work } from "../kernels/work.ts";
import type { Frame } from "../plan/frame/frame.ts";
import type { EvalQuery } from "../query/request.ts";
import type { Segment } from "../segment/segment.ts";
import { buildSegment, type Opened, type Segments } from "../segment/segments.ts";

/** Where queries read. */
interface QuerySources {
  readonly calls: CallSource;
  readonly rows: RowSource;
  /** Lets other work run during a long query. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** A query whose evaluations are open. */
export interface QueryContext extends Omit<QuerySources, "calls"> {
  readonly project: string;
  readonly query: EvalQuery;
  /** The evaluations, in request order. */
  readonly opened: readonly OpenedEvaluation[];
  /** Their root calls, which may not exist. */
  readonly roots: readonly (Call | undefined)[];
  /** The frames of recent queries. */
  readonly frames: Frame[];
  readonly work: Work;
}

interface OpenedEvaluation {
  readonly segment: Segment;
  readonly opened: Opened;
}

/**
 * Opens the evaluations of a query while `answer` runs. `hold` keeps them open until the function that it returns is
 * called.
 */
export type RunQuery = <T>(
  project: string,
  query: EvalQuery,
  options: { readonly signal?: Cancellation },
  answer: (context: QueryContext, hold: () => () => void) => Promise<T>,
) => Promise<T>;

/** Runs queries over the segments of evaluations. */
export function queryRunner({ calls, rows, pause }: QuerySources, segments: Segments): RunQuery {
  const frames: Frame[] = [];
  return async (project, query, options, answer) => {
    const work = new Work(pause, options.signal);
    const reading: Segment[] = [];
    let held = false;
    const release = once(() => segments.close(reading));
    const hold = () => {
      held = true;
      return release;
    };
    try {
      for (;;) {
        work.check();
        const { opened, roots } = await openAll(calls, segments, project, query.evaluations, work);
        reading.push(...opened.map(({ segment }) => segment));
        try {
          return await answer({ rows, pause, project, query, opened, roots, frames, work }, hold);
        } catch (error) {
          // A damaged segment is rebuilt when it is opened again, and stays in memory while it is read, so each
          // evaluation gets here at most once.
          if (!opened.some(({ segment }) => segment.damaged)) throw error;
        }
      }
    } finally {
      if (!held) release();
    }
  };
}

async function openAll(
  calls: CallSource,
  segments: Segments,
  project: string,
  evaluations: readonly string[],
  work: Work,
): Promise<Pick<QueryContext, "opened" | "roots">> {
  // Columns are read while a database looks for the calls.
  const finding = Promise.resolve(calls.calls(project, evaluations));
  finding.catch(() => {});
  const opened: OpenedEvaluation[] = [];
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
    return { opened, roots };
  } catch (error) {
    for (const { segment } of opened) segment.endReading();
    throw error;
  }
}

/** Calls `act` once, however often it is called. */
function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
