import type { Call, CallTree } from "../call/call.ts";

/** Trees in batches, in memory or read on demand. */
type Batches = Iterable<readonly CallTree[]> | AsyncIterable<readonly CallTree[]>;

/**
 * A source of an evaluation's calls. The engine decides which calls matter; a source only knows ids, parents and when
 * something changed. Throws a `Fault` if the storage fails.
 *
 * Versions are whole numbers that grow with every write to a project and survive a restart. A source that answers from
 * version v on has everything written up to v.
 */
export interface CallSource {
  /** The project's version; 0 if nothing was ever written to it. */
  version(project: string): number | Promise<number>;

  /** The calls with these ids, in the given order; undefined for one that does not exist or is deleted. */
  calls(
    project: string,
    ids: readonly string[],
  ): readonly (Call | undefined)[] | Promise<readonly (Call | undefined)[]>;

  /** Every live direct child of `root`, each with its own live direct children, in batches, in any order. */
  trees(project: string, root: string): AsyncIterable<readonly CallTree[]>;

  /**
   * The direct children of `root` that were written, or had a direct child written, after version `since`: each in its
   * current state, with all its live children, in batches. Includes deleted ones, with their `deleted_at`. Undefined if
   * the source does not know, or if a call left `root`: the engine then reads all `trees` again.
   */
  changes(project: string, root: string, since: number): Batches | undefined | Promise<Batches | undefined>;

  /** Whether returned calls stay in memory anyway, so that keeping references to them costs nothing. Default false. */
  readonly retains?: boolean;
}
