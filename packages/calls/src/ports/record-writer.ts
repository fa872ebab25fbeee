/** Records that a program built itself, each a line of JSON in the form that stores keep. Stores do not check them. */
export interface RecordLines {
  /** Complete lines, contiguous. Must not be changed afterwards. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The common prefix of all names. */
  readonly names: string;
  /** For each record: where the rest of its name, which is ASCII, begins and ends, and where its line break is. */
  readonly spans: Uint32Array;
}

/** New calls below one root, none of them deleted. Their names are their ids. */
export interface CallLines extends RecordLines {
  /** The id of their parent, and of their trace. */
  readonly root: string;
  /** The `op_name` of all. */
  readonly opName: string;
  /** The start of each: microseconds since 1970. */
  readonly started: Float64Array;
}

/** How many numbers of `spans` each record takes. */
export const RECORD_SPANS = 3;

/**
 * A faster way to write new records to a store in the same process. Each put is stored completely or not at all; when
 * the promise resolves to the number of new records, they are on the disk; 0 if exactly these were written before. It
 * resolves to undefined, with nothing written, if only some exist, or if they differ or occur twice: put them with the
 * other writers instead. Throws a `Fault` like `CallWriter`.
 */
export interface RecordWriter {
  /** Puts calls of a project, below one root or several. */
  putCalls(project: string, calls: readonly CallLines[]): Promise<number | undefined>;
  /** Puts dataset rows of a project. Their names are their references. */
  putRows(project: string, rows: readonly RecordLines[]): Promise<number | undefined>;
}
