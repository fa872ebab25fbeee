// Which rows of a frame the filters keep, and which all evaluations have (SEMANTICS §2, §4).

import type { Expr } from "@assay/query-lang";
import { ABSENT, type Frame } from "../frame.ts";
import type { EvalQuery } from "../request.ts";
import type { Work } from "../work.ts";
import { trialsWhere } from "./where.ts";

/** Rows of a frame, ascending. Undefined stands for all of them. */
export type Selection = Uint32Array | undefined;

/** How many rows are selected. */
export function countRows(frame: Frame, selection: Selection): number {
  return selection?.length ?? frame.length;
}

/** The rows that the filters keep. */
export async function matching(query: EvalQuery, frame: Frame, work: Work): Promise<Selection> {
  if (query.filters.length === 0) return undefined;
  const filters = [...filtersByEvaluation(query)];
  // A row is kept when it matches in one evaluation, or in all: how many it must have matched in so far.
  const matched = new Uint16Array(frame.length);
  for (const [k, [evaluation, expr]] of filters.entries()) {
    const e = query.evaluations.indexOf(evaluation);
    // A scope that was not asked for matches nothing.
    if (e === -1) continue;
    const segment = frame.segments[e]!;
    const pause = work.spend(segment.trials * 4);
    if (pause !== undefined) await pause;
    const [rowOf, inFrame] = [segment.parts.rowOf.array, frame.rowOf[e]!];
    for (const i of trialsWhere(expr, segment)) {
      const row = inFrame[rowOf[i]!]!;
      if (!query.matchAll) matched[row] = 1;
      else if (matched[row] === k) matched[row] = k + 1;
    }
  }
  const enough = query.matchAll ? filters.length : 1;
  return rowsWhere(frame.length, (row) => matched[row] === enough);
}

/** The one expression that a trial of each evaluation must make true; evaluations without a filter are not there. */
function filtersByEvaluation({ filters, evaluations }: EvalQuery): Map<string, Expr> {
  const found = new Map<string, Expr>();
  for (const scope of new Set([...evaluations, ...filters.flatMap(({ evaluation }) => evaluation ?? [])])) {
    const requested = evaluations.includes(scope);
    const operands = filters
      .filter(({ evaluation }) => evaluation === scope || (evaluation === null && requested))
      .map(({ expr }) => expr);
    if (operands.length > 0)
      found.set(scope, operands.length === 1 ? operands[0]! : { kind: "and", operands });
  }
  return found;
}

/** The selected rows that every evaluation has. */
export function inEvery(frame: Frame, selection: Selection): Selection {
  if (frame.segments.length < 2) return selection;
  const shared = sharedRows(frame);
  return selection?.filter((row) => shared.has[row] === 1) ?? shared.rows;
}

interface Shared {
  readonly rows: Uint32Array;
  /** One byte per row. */
  readonly has: Uint8Array;
}

function sharedRows(frame: Frame): Shared {
  const known = frame.computed.get("shared") as Shared | undefined;
  if (known !== undefined) return known;
  const has = new Uint8Array(frame.length).fill(1);
  for (const rowIn of frame.rowIn) {
    for (let row = 0; row < has.length; row++) if (rowIn[row] === ABSENT) has[row] = 0;
  }
  const shared = { rows: rowsWhere(frame.length, (row) => has[row] === 1), has };
  frame.computed.set("shared", shared);
  return shared;
}

function rowsWhere(length: number, holds: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(length);
  let n = 0;
  for (let row = 0; row < length; row++) if (holds(row)) rows[n++] = row;
  return rows.slice(0, n);
}
