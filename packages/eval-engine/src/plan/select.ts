// Which rows of a frame the filters keep, and which all evaluations have (SEMANTICS §2, §4).

import type { Expr } from "@assay/query-lang";
import { ABSENT, type Frame } from "../frame.ts";
import { TRUE } from "../kernels/truth.ts";
import type { EvalQuery, Filter } from "../request.ts";
import type { Segment } from "../segment.ts";
import type { Work } from "../work.ts";
import { truthsOf } from "./truths.ts";

/** Rows of a frame: one byte each, 1 for in. Undefined stands for all of them. */
export type Mask = Uint8Array | undefined;

/** The rows that the filters keep. */
export async function matching(query: EvalQuery, frame: Frame, work: Work): Promise<Mask> {
  if (query.filters.length === 0) return undefined;
  const masks: Uint8Array[] = [];
  let deciding = 0;
  for (const [evaluation, expr] of filtersByEvaluation(query)) {
    deciding++;
    const e = query.evaluations.indexOf(evaluation);
    // A scope that was not asked for matches nothing.
    if (e === -1) continue;
    const pause = work.spend(frame.segments[e]!.trials * 4);
    if (pause !== undefined) await pause;
    masks.push(inFrame(frame, e, rowsWith(frame.segments[e]!, truthsOf(expr, frame.segments[e]!))));
  }
  if (masks.length === 0 || (query.matchAll && masks.length < deciding)) return new Uint8Array(frame.length);
  const [mask, ...others] = masks as [Uint8Array, ...Uint8Array[]];
  for (const other of others) {
    if (query.matchAll) for (let row = 0; row < mask.length; row++) mask[row]! &= other[row]!;
    else for (let row = 0; row < mask.length; row++) mask[row]! |= other[row]!;
  }
  return mask;
}

/** The one expression that a trial of each evaluation must make true; evaluations without a filter are not there. */
function filtersByEvaluation({ filters, evaluations }: EvalQuery): Map<string, Expr> {
  const applying = new Map<string, Expr[]>();
  const add = (evaluation: string, { expr }: Filter): void => {
    applying.set(evaluation, [...(applying.get(evaluation) ?? []), expr]);
  };
  const scopes = new Set([...evaluations, ...filters.flatMap(({ evaluation }) => evaluation ?? [])]);
  for (const scope of scopes) {
    for (const filter of filters) {
      const requested = evaluations.includes(scope);
      if (filter.evaluation === scope || (filter.evaluation === null && requested)) add(scope, filter);
    }
  }
  return new Map([...applying].map(([id, [first, ...more]]) => [id, and(first!, more)]));
}

function and(first: Expr, more: readonly Expr[]): Expr {
  return more.length === 0 ? first : { kind: "and", operands: [first, ...more] };
}

/** The segment's rows with a trial that is true. */
function rowsWith({ parts, trials, rows }: Segment, truths: Uint8Array): Uint8Array {
  const rowOf = parts.rowOf.array;
  const found = new Uint8Array(rows);
  for (let i = 0; i < trials; i++) if (truths[i] === TRUE && rowOf[i] !== -1) found[rowOf[i]!] = 1;
  return found;
}

function inFrame(frame: Frame, e: number, rows: Uint8Array): Uint8Array {
  const rowIn = frame.rowIn[e]!;
  const mask = new Uint8Array(frame.length);
  for (let row = 0; row < mask.length; row++) {
    const own = rowIn[row]!;
    if (own !== ABSENT) mask[row] = rows[own]!;
  }
  return mask;
}

/** The rows of `mask` that every evaluation has. */
export function inEvery(frame: Frame, mask: Mask): Mask {
  if (frame.segments.length < 2) return mask;
  const shared = computeShared(frame);
  if (mask === undefined) return shared;
  const both = new Uint8Array(mask.length);
  for (let row = 0; row < both.length; row++) both[row] = mask[row]! & shared[row]!;
  return both;
}

function computeShared(frame: Frame): Uint8Array {
  const known = frame.computed.get("shared") as Uint8Array | undefined;
  if (known !== undefined) return known;
  const shared = new Uint8Array(frame.length).fill(1);
  for (const rowIn of frame.rowIn) {
    for (let row = 0; row < shared.length; row++) if (rowIn[row] === ABSENT) shared[row] = 0;
  }
  frame.computed.set("shared", shared);
  return shared;
}

/** How many rows are in. */
export function countRows(frame: Frame, mask: Mask): number {
  if (mask === undefined) return frame.length;
  let count = 0;
  for (let row = 0; row < mask.length; row++) count += mask[row]!;
  return count;
}
