/**
 * Where the engine saves the columns it builds. A later process can then open an evaluation without reading its calls,
 * and data needed only for the returned page can stay out of memory. It is only a cache: the engine rebuilds whatever
 * it loses or refuses, and checks its bytes. Lists of rows, which evaluations share, are saved in the same way under
 * separate names.
 */
export interface SegmentStore {
  /** The last save of this evaluation; undefined if there is none. Must not throw for a damaged entry. */
  open(project: string, evaluation: string): Promise<SavedSegment | undefined>;

  /**
   * Saves the bytes, passed in chunks, in place of earlier ones: all or none of them. If reading a chunk throws, the
   * error is thrown on. A chunk is valid until the next one is requested. Returns the saved segment, open; undefined
   * if it keeps nothing.
   */
  save(
    project: string,
    evaluation: string,
    pieces: AsyncIterable<Uint8Array>,
  ): Promise<SavedSegment | undefined>;
}

/** Saved bytes, open for reading. They stay unchanged even if others replace them in the store. */
export interface SavedSegment {
  /** The number of bytes. */
  readonly size: number;

  /**
   * Fills `into` with the bytes from `offset`, and returns whether all of them could be read. Never throws. It is
   * synchronous, because a page is built from thousands of small reads that the operating system has in memory:
   * awaiting each would take longer than the reading. Most reads are of 8 KiB at a multiple of 8 KiB.
   */
  read(offset: number, into: Uint8Array): boolean;

  /**
   * The same for large reads: other work runs meanwhile, because a busy disk may take seconds. Don't read `into`
   * before it resolves. Never rejects; resolves to false if the bytes were closed before all were read.
   */
  load(offset: number, into: Uint8Array): Promise<boolean>;

  /** Releases the bytes: later reads return false. Closing again does nothing. */
  close(): void;
}
