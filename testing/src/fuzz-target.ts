// A fuzz target: a name, and a property that holds for every input, however malformed.

import type { IAsyncProperty } from "fast-check";

/** A part of the product that parses external input. */
export interface FuzzTarget {
  /** The name for `npm run fuzz -- NAME`. */
  readonly name: string;
  /** Its input and its contract, in one line for the usage text. */
  readonly what: string;
  /** The maximum milliseconds for one input, on a busy machine. */
  readonly patience: number;
  /** The maximum heap size in MiB. */
  readonly memory: number;
  /** The number of inputs in each run of the tests. */
  readonly few: number;
  /** Holds for every input, and otherwise fails with the reason. With `long`, some inputs take seconds each. */
  property(long: boolean): IAsyncProperty<unknown> | Promise<IAsyncProperty<unknown>>;
}
