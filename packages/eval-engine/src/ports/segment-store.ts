/**
 * Where the engine may keep the columns it has built, so that a later process opens an evaluation without reading
 * its calls, and what is looked at only for the returned page need not be in memory. Purely a saving: whatever it
 * loses or refuses is built again. Bytes are checked by the engine.
 */
export interface SegmentStore {
  /** What was saved last for this evaluation; undefined when there is nothing. Must not throw for a damaged entry. */
  open(project: string, evaluation: string): Promise<SavedSegment | undefined>;

  /**
   * Keeps the bytes, given in pieces, in place of earlier ones: all of them or none, also when the pieces break off
   * with an error, which is thrown on. A piece is good until the next one is asked for. Gives what it has saved, open;
   * undefined when it keeps nothing.
   */
  save(
    project: string,
    evaluation: string,
    pieces: AsyncIterable<Uint8Array>,
  ): Promise<SavedSegment | undefined>;
}

/** Bytes that were saved, open for reading: they stay as they are, whatever is saved in their place. */
export interface SavedSegment {
  /** How many they are. */
  readonly size: number;

  /**
   * Fills `into` with the bytes from `offset` on: whether all of them could be read. Never throws. Synchronous,
   * because a page is written from thousands of small pieces that the operating system has in memory: waiting for
   * each would take longer than reading it.
   */
  read(offset: number, into: Uint8Array): boolean;

  /**
   * Does the same for much at once, and lets others run meanwhile: a disk that is busy may take seconds. `into` must not be
   * looked at before it is done. Never rejects; gives false when the bytes were let go of before all were there.
   */
  load(offset: number, into: Uint8Array): Promise<boolean>;

  /** Lets go of the bytes: reading gives false from now on. Closing again does nothing. */
  close(): void;
}
