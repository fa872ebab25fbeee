/** Records that a program has put together itself, each a line of JSON as a store keeps it. A store does not check them. */
export interface RecordLines {
  /** Whole lines, one behind the other. Must not be changed afterwards. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What the names of all begin with. */
  readonly names: string;
  /** Of each record: where the rest of its name, which is ASCII, begins and ends, and where its line break is. */
  readonly spans: Uint32Array;
}

/** New calls below one root, none of them deleted. They are named by their ids. */
export interface CallLines extends RecordLines {
  /** Their parent, and their trace. */
  readonly root: string;
  /** The `op_name` of all. */
  readonly opName: string;
  /** When each started: microseconds since 1970. */
  readonly started: Float64Array;
}

/** How many numbers the `spans` of a record are. */
export const RECORD_SPANS = 3;

/**
 * The short way into a store in the same process, for what is new: each put is there whole or not at all, and on the disk
 * when the promise resolves, to the number of records. It resolves to undefined, with nothing written, when some are
 * there already, or twice among these: they are to be put in the other way. Throws a `Fault` as `CallWriter` does.
 */
export interface RecordWriter {
  /** Puts calls of a project, of one root or of several. */
  putCalls(project: string, calls: readonly CallLines[]): Promise<number | undefined>;
  /** Puts dataset rows of a project, which are named by their references. */
  putRows(project: string, rows: readonly RecordLines[]): Promise<number | undefined>;
}
