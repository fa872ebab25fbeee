// What can be fuzzed: a name, and a property that holds of every input, however broken it is.

import type { IAsyncProperty } from "fast-check";

/** One part of the product that takes input from outside. */
export interface FuzzTarget {
  /** What `npm run fuzz -- NAME` calls it. */
  readonly name: string;
  /** What is put to it, and what it must do: a line for a person. */
  readonly what: string;
  /** Milliseconds that one input may take, on a machine that does other work. */
  readonly patience: number;
  /** Mebibytes of heap that it may take. */
  readonly memory: number;
  /** How many inputs are put to it in each run of the tests. */
  readonly few: number;
  /** Holds of every input; fails with what was broken. `long` has inputs among them that take seconds each. */
  property(long: boolean): IAsyncProperty<unknown> | Promise<IAsyncProperty<unknown>>;
}
