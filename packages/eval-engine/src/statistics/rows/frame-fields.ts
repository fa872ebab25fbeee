// The fields of the rows of a frame: their values as codes, and which of them can slice the rows.

import type { Json } from "@assay/base";
import type { Call, RowSource } from "@assay/calls";
import type { FieldPath } from "@assay/query-lang";
import { asText } from "@assay/query-lang/internal";
import { TAG, type ValueColumn } from "../../columns/value-column.ts";
import type { Work } from "../../kernels/work.ts";
import type { ReadySegment } from "../../plan/derived/value-columns.ts";
import { ABSENT, type Frame } from "../../plan/frame/frame.ts";
import { rowData } from "../../plan/row-data.ts";
import type { Selection } from "../../plan/select-rows.ts";
import { fieldAt } from "../../query/field.ts";
import type { EvalQuery } from "../../query/request.ts";
import type { DerivedKey } from "../../segment/derived-cache.ts";
import { FieldFinder } from "./field-finder.ts";
import type { RowField } from "./selected-rows.ts";

/** The sources of a selection. */
export interface ColumnSource {
  readonly project: string;
  readonly query: EvalQuery;
  readonly frame: Frame;
  readonly roots: readonly (Call | undefined)[];
  readonly rows: RowSource;
}

/** The index of each frame row's example: that of its first trial, in request order. */
function exampleOf(frame: Frame, row: number): readonly [e: number, example: number] {
  for (let e = 0; e < frame.segments.length; e++) {
    const own = frame.rowIn[e]![row]!;
    if (own === ABSENT) continue;
    const { firstTrial, exampleOf } = frame.segments[e]!.parts;
    return [e, exampleOf.array[firstTrial.array[own]!]!];
  }
  throw new Error(`row ${row} of the frame is in no evaluation`);
}

/** A field of the row over a frame, kept with it, for the selected rows. */
export function fieldOf(
  frame: Frame,
  ready: readonly ReadySegment[],
  selection: Selection | undefined,
  path: FieldPath,
): RowField {
  const all = fieldOfFrame(frame, ready, path);
  if (selection === undefined) return all;
  const { rows } = selection;
  return { codes: Int32Array.from(rows, (row) => all.codes[row]!), values: all.values };
}

const FIELD: DerivedKey<CachedField> = {};

function fieldOfFrame(frame: Frame, ready: readonly ReadySegment[], path: FieldPath): RowField {
  const columns = ready.map(({ column }) => column(path).values);
  const { key } = fieldAt(path);
  // The column is rebuilt when missing dataset rows arrive.
  const known = frame.memo.get(FIELD, key);
  if (known?.columns.every((column, e) => column === columns[e])) return known.field;
  const field = codesOf(frame, columns);
  return frame.memo.set(FIELD, key, { columns, field }).field;
}

interface CachedField {
  readonly columns: readonly ValueColumn[];
  readonly field: RowField;
}

function codesOf(frame: Frame, columns: readonly ValueColumn[]): RowField {
  const codes = new Int32Array(frame.length);
  const values: Json[] = [];
  const known = new Map<string | number, number>();
  for (let row = 0; row < frame.length; row++) {
    const [e, example] = exampleOf(frame, row);
    const column = columns[e]!;
    const tag = column.tags.array[example]!;
    if (tag === TAG.null) {
      codes[row] = -1;
      continue;
    }
    // Numbers are their own key; a letter keeps other types apart.
    const key = tag === TAG.number ? column.numbers.array[example]! : `${tag}${asText(column.get(example))}`;
    let code = known.get(key);
    if (code === undefined) {
      code = values.length;
      known.set(key, code);
      values.push(column.get(example));
    }
    codes[row] = code;
  }
  return { codes, values };
}

const SLICE_FIELDS: DerivedKey<readonly FieldPath[]> = {};

/** The fields that slice a frame's rows, kept with it while the dataset rows stay unchanged. */
export async function sliceFieldsOf(
  { frame, rows, project }: ColumnSource,
  work: Work,
): Promise<readonly FieldPath[]> {
  const version = String(await rows.version(project));
  const known = frame.memo.get(SLICE_FIELDS, version);
  if (known !== undefined) return known;
  const finder = new FieldFinder();
  const first = (row: number): Json => {
    const [e, example] = exampleOf(frame, row);
    return frame.segments[e]!.parts.examples.get(example);
  };
  for await (const some of rowData(frame, first, { source: rows, project }, work))
    for (const row of some) finder.add(row);
  return frame.memo.set(SLICE_FIELDS, version, finder.fields());
}
