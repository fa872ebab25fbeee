// The rows of the page in the response, read from the payload.

import type { Json } from "@assay/base";
import type { RowSource } from "@assay/calls";
import { isReference, modelOutputOf, scoresOf, withLoggedOutput } from "@assay/calls/internal";
import type { Work } from "../kernels/work.ts";
import type { EvalQuery } from "../query/request.ts";
import {
  type EvalResultsRow,
  type EvalResultsRowEvaluation,
  type EvalResultsTrial,
  UNRESOLVED_ROWS,
} from "../query/response.ts";
import type { DerivedKey } from "../segment/derived-cache.ts";
import type { Segment } from "../segment/segment.ts";
import { ABSENT, type Frame } from "./frame/frame.ts";

// The work of a row of one evaluation, and the additional work if it was not built before but is read from a file, in
// array items touched.
const KNOWN_COST = 64;
const READ_COST = 64_000;

/** Builds the response of `rows` of a frame. */
export async function writeRows(
  query: EvalQuery,
  frame: Frame,
  rows: Uint32Array,
  work: Work,
): Promise<EvalResultsRow[]> {
  const written: EvalResultsRow[] = [];
  const known = frame.segments.map((segment) => writtenBefore(segment, query.children));
  for (const row of rows) {
    const evaluations: EvalResultsRowEvaluation[] = [];
    let digest = "";
    for (let e = 0; e < frame.rowIn.length; e++) {
      const own = frame.rowIn[e]![row]!;
      if (own === ABSENT) continue;
      let kept = known[e]!.rows.get(own);
      if (kept === undefined) {
        const pause = work.spend(READ_COST);
        if (pause !== undefined) await pause;
        kept = writtenRow(query, frame.segments[e]!, known[e]!, { e, own });
      }
      digest = kept.digest;
      evaluations.push(kept.evaluation);
    }
    written.push({
      row_digest: digest,
      raw_data_row: query.rawRows ? exampleOf(frame, row) : null,
      evaluations,
    });
    const pause = work.spend(evaluations.length * KNOWN_COST);
    if (pause !== undefined) await pause;
  }
  return written;
}

// The most rows built at once, and the most bytes of their sources. The size of a reference's target is unknown until
// it is resolved, so rows with references are fewer.
const PART = 128;
const RESOLVED = 16;
/** How many resolved rows of a part are measured. */
const SAMPLE = 4;
const PART_BYTES = 2 ** 18;
/** The memory of a row in addition to its source. */
const ROW_BYTES = 512;

/** The most rows of the next part, after one of at most `most` rows that is `rows`; without one, of the first. */
export function mostOfPart(query: EvalQuery, rows: readonly EvalResultsRow[] = [], most = 0): number {
  if (!query.resolveRefs) return PART;
  // Each look-up reads all of a source's index, so parts grow while resolved rows are short.
  const size = Math.max(0, ...rows.slice(0, SAMPLE).map((row) => JSON.stringify(row.raw_data_row).length));
  return 2 * most * size > PART_BYTES ? RESOLVED : Math.max(RESOLVED, Math.min(PART, 2 * most));
}

/** The first of `rows`, as many as are built at once: at least one, and at most `most`. */
export function firstPart(query: EvalQuery, frame: Frame, rows: Uint32Array, most: number): Uint32Array {
  let count = 0;
  for (let bytes = 0; count < rows.length && count < most; count++) {
    bytes += rowBytes(query, frame, rows[count]!);
    if (count > 0 && bytes > PART_BYTES) break;
  }
  return rows.subarray(0, count);
}

function rowBytes(query: EvalQuery, frame: Frame, row: number): number {
  let bytes = ROW_BYTES;
  for (const [e, segment] of frame.segments.entries()) {
    const own = frame.rowIn[e]![row]!;
    if (own === ABSENT) continue;
    const { outputs, examples, exampleOf } = segment.parts;
    const trials = trialsOf(segment, own);
    for (const i of trials) bytes += ROW_BYTES + outputs.sizeOf(i);
    if (query.rawRows) bytes += examples.sizeOf(exampleOf.array[trials[0]!]!);
  }
  return bytes;
}

/** The rows with references replaced by their targets, and a warning if one could not be resolved. */
export async function resolveRawRows(
  rows: readonly EvalResultsRow[],
  source: RowSource,
  project: string,
): Promise<{ readonly rows: EvalResultsRow[]; readonly warnings: string[] }> {
  const refs = [...new Set(rows.map((row) => row.raw_data_row).filter(isReference))];
  const values = await source.rows(project, refs);
  const resolved = new Map(refs.map((ref, i) => [ref, values[i]]));
  const warnings = values.includes(undefined) ? [UNRESOLVED_ROWS] : [];
  return {
    rows: rows.map((row) => {
      const { raw_data_row } = row;
      if (!isReference(raw_data_row)) return row;
      const value = resolved.get(raw_data_row);
      return value === undefined ? row : { ...row, raw_data_row: value };
    }),
    warnings,
  };
}

/** A row's trials in order. */
function trialsOf(segment: Segment, row: number): number[] {
  const { firstTrial, next } = segment.parts;
  const trials: number[] = [];
  for (let i = firstTrial.array[row]!; i !== -1; i = next.array[i]!) trials.push(i);
  return trials;
}

/** The example of the first of a row's trials that has one. */
export function exampleOf(frame: Frame, row: number): Json {
  for (const [e, { parts }] of frame.segments.entries()) {
    const own = frame.rowIn[e]![row]!;
    if (own === ABSENT) continue;
    for (const i of trialsOf(frame.segments[e]!, own)) {
      const example = parts.examples.getAgain(parts.exampleOf.array[i]!);
      if (example !== null) return example;
    }
  }
  return null;
}

// The cache of built rows is limited by their number of trials: the rows of a page are read again while someone drags
// a filter over it.
const TRIALS_KEPT = 1024;

/** Built rows, and the position in the segment's journal up to which they are current. */
interface WrittenRows {
  readonly rows: Map<number, WrittenRow>;
  journal: number;
}

/** A row in one evaluation. Its digest is cached too: reading fifty of them took half of the time of a page. */
interface WrittenRow {
  readonly digest: string;
  readonly evaluation: EvalResultsRowEvaluation;
}

const WRITTEN: DerivedKey<WrittenRows, number> = { lasts: true };

/** Built rows of a segment that have not changed since, with or without the trials' children. */
function writtenBefore({ memo, journal }: Segment, children: boolean): WrittenRows {
  const written = memo.kept(WRITTEN, children ? "with children" : "", () => ({
    rows: new Map(),
    journal: journal.length,
  }));
  for (; written.journal < journal.length; written.journal++) written.rows.delete(journal[written.journal]!);
  return written;
}

/** The response of a row in one evaluation, from the payload; cached with the segment. */
function writtenRow(
  query: EvalQuery,
  segment: Segment,
  { rows }: WrittenRows,
  { e, own }: { readonly e: number; readonly own: number },
): WrittenRow {
  const trials = trialsOf(segment, own).map((i) => writeTrial(query, segment, i));
  const row = {
    digest: segment.parts.digests.get(own),
    evaluation: { evaluation_call_id: query.evaluations[e]!, trials },
  };
  if (rows.size * segment.trials >= TRIALS_KEPT * segment.rows) rows.clear();
  rows.set(own, row);
  return row;
}

function writeTrial({ children }: EvalQuery, { parts }: Segment, i: number): EvalResultsTrial {
  const output = parts.outputs.getLogged(i);
  const spans = parts.spans.get(i);
  const predictId = children ? parts.predictIds.get(i) : "";
  const scorerIds = children ? parts.scorerIds.get(i) : "";
  return withLoggedOutput(output, {
    predict_and_score_call_id: parts.ids.get(i),
    predict_call_id: predictId === "" ? null : predictId,
    model_output: modelOutputOf(output),
    scores: scoresOf(output),
    model_latency_seconds: orNull((children ? parts.latency : parts.ownLatency).array[i]!),
    total_tokens: orNull((children ? parts.tokens : parts.ownTokens).array[i]!),
    scorer_call_ids: scorerIds === "" ? {} : (JSON.parse(scorerIds) as { readonly [scorer: string]: string }),
    genai_span_ref: (children ? spans?.all : spans?.own) ?? null,
  });
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
