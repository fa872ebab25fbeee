/**
 * Where the engine may keep the columns it has built, so that a later process opens an evaluation without reading
 * its calls. Purely a saving: whatever it loses or refuses is built again. Bytes are checked by the engine.
 */
export interface SegmentStore {
  /**
   * The bytes saved last for this evaluation; undefined when there are none. They are the caller's, who may change
   * them. Must not throw for a damaged entry.
   */
  load(project: string, evaluation: string): Promise<Uint8Array | undefined>;

  /** Keeps the bytes, given in pieces, in place of earlier ones: all of them or none. */
  save(project: string, evaluation: string, pieces: readonly Uint8Array[]): Promise<void>;
}
