import type { Call, CallTree } from "../call.ts";

/**
 * Where an evaluation's calls come from. The engine decides which calls matter; a source knows only ids, parents and
 * when something changed. When the storage itself fails, it throws a `Fault`.
 *
 * Versions are whole numbers that grow with every write to a project and survive a restart. A source that answers from
 * version v on has everything written up to v.
 */
export interface CallSource {
  /** The project's version; 0 when nothing was ever written to it. */
  version(project: string): number | Promise<number>;

  /** The calls with these ids, in the order asked; undefined for one that is not there or is deleted. */
  calls(
    project: string,
    ids: readonly string[],
  ): readonly (Call | undefined)[] | Promise<readonly (Call | undefined)[]>;

  /** Every live direct child of `root`, each with its own live direct children, in batches, in any order. */
  trees(project: string, root: string): AsyncIterable<readonly CallTree[]>;

  /**
   * The direct children of `root` that were written, or had a direct child written, after version `since`; each as
   * it is now, with all its live children. A deleted one is among them, with its `deleted_at`.
   * Undefined when the source cannot tell, or a call left `root`: the engine then reads all `trees` again.
   */
  changes(
    project: string,
    root: string,
    since: number,
  ): readonly CallTree[] | undefined | Promise<readonly CallTree[] | undefined>;

  /** Whether the calls it gives stay in memory anyway, so that holding on to them costs nothing. Default false. */
  readonly retains?: boolean;
}
