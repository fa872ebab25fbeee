/** What happened to a row between one frame and the next. */
export interface RowChange {
  /** The row's place when it happened. */
  readonly row: number;
  /** Whether it was put in there, moving all from there on by one. */
  readonly inserted: boolean;
}
