// How much may be under way at once. Beyond it a client is told to come back: memory stays flat under any load.

/** The memory of one request in a room. */
export interface Place {
  /** Takes `bytes` more. False if there is no room for them. */
  take(bytes: number): boolean;
  /** Releases everything. */
  leave(): void;
}

/** Limits the bytes under way, in total and for each key. */
export interface Room {
  /** A place of size 0 for the holder of the key with this ID. */
  enter(key: string): Place;
}

/** How to divide a room. */
export interface RoomOptions {
  /** The most bytes of one key while other keys use the room. Default: all. */
  readonly share?: number | undefined;
  /** The room that contains this one: bytes taken here are also taken there. */
  readonly within?: Room | undefined;
}

/**
 * A room of `limit` bytes. A larger request is admitted if its key has nothing else there; the only key in the room
 * may have all of it.
 */
export function room(limit: number, { share = limit, within }: RoomOptions = {}): Room {
  let used = 0;
  const usedBy = new Map<string, number>();
  return {
    enter(key) {
      let own = 0;
      const outer = within?.enter(key);
      return {
        take(bytes) {
          const mine = usedBy.get(key) ?? 0;
          const single = used === own;
          if (!single && (used + bytes > limit || (mine > own && mine + bytes > share))) return false;
          if (outer?.take(bytes) === false) return false;
          own += bytes;
          used += bytes;
          usedBy.set(key, mine + bytes);
          return true;
        },
        leave() {
          outer?.leave();
          used -= own;
          const left = (usedBy.get(key) ?? 0) - own;
          if (left > 0) usedBy.set(key, left);
          else usedBy.delete(key);
          own = 0;
        },
      };
    },
  };
}
