/** How a row changed between one frame and the next. */
export interface ChangedRow {
  /** The row's index at the time. */
  readonly row: number;
  /** Whether it was inserted there, moving all later rows by one. */
  readonly inserted: boolean;
}
