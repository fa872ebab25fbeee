// One number for each row of a frame: what rows are sorted by. Kept with the frame, and handed on to the frame that
// follows it when a few rows came or changed: those rows alone are then worked out again, when somebody asks.

/** Works out the number of a row; NaN for none. */
export type NumberOf = (row: number) => number;

/** What happened to a row between one frame and the next. */
export interface RowChange {
  /** The row's place when it happened. */
  readonly row: number;
  /** Whether it was put in there, moving all from there on by one. */
  readonly inserted: boolean;
}

/** Numbers of a frame's rows, as they were before the changes. */
export interface FrameNumbers {
  readonly values: Float64Array;
  readonly changes: readonly RowChange[];
}

// Past so many changed rows working all of them out again is no slower by much, and simpler.
const CHANGES_KEPT = 256;

/** What numbers are kept with: a frame. */
interface NumberedRows {
  readonly length: number;
  readonly numbers: Map<string, FrameNumbers>;
}

/** The numbers kept under `key`, or those that `numberOf` works out; `numberOf` is asked for only when it is needed. */
export function frameNumbers(frame: NumberedRows, key: string, numberOf: () => NumberOf): Float64Array {
  const known = frame.numbers.get(key);
  if (known?.changes.length === 0) return known.values;
  const values = known === undefined ? everyRow(frame, numberOf()) : afterChanges(known, numberOf());
  frame.numbers.set(key, { values, changes: [] });
  return values;
}

/** What is kept of a frame, for the frame that it became by `changes`. */
export function handOn(
  numbers: ReadonlyMap<string, FrameNumbers>,
  changes: readonly RowChange[],
): Map<string, FrameNumbers> {
  const next = new Map<string, FrameNumbers>();
  for (const [key, known] of numbers) {
    const all = [...known.changes, ...changes];
    if (all.length <= CHANGES_KEPT) next.set(key, { values: known.values, changes: all });
  }
  return next;
}

function everyRow({ length }: NumberedRows, numberOf: NumberOf): Float64Array {
  const values = new Float64Array(length);
  for (let row = 0; row < length; row++) values[row] = numberOf(row);
  return values;
}

function afterChanges({ values, changes }: FrameNumbers, numberOf: NumberOf): Float64Array {
  let next = values.slice();
  let dirty: number[] = [];
  for (const { row, inserted } of changes) {
    if (inserted) {
      next = withItemAt(next, row);
      dirty = dirty.map((other) => (other >= row ? other + 1 : other));
    }
    dirty.push(row);
  }
  for (const row of dirty) next[row] = numberOf(row);
  return next;
}

function withItemAt(values: Float64Array, at: number): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(values.length + 1);
  longer.set(values.subarray(0, at));
  longer.set(values.subarray(at), at + 1);
  return longer;
}
