// How much may be under way at once. Beyond it a client is told to come back: memory stays flat under any load.

/** A place in a room: what one request takes up. */
export interface Place {
  /** Takes up `bytes` more. False when there is no room for them. */
  take(bytes: number): boolean;
  /** Gives everything back. */
  leave(): void;
}

/** Bytes that are under way, all together and for each key. */
export interface Room {
  /** A place, which takes up nothing yet, for the holder of the key with this id. */
  enter(key: string): Place;
}

/** How a room is divided. */
export interface RoomOptions {
  /** Bytes that no key takes more than while others are there. Default: all. */
  readonly share?: number | undefined;
  /** A room that this one is a part of: what is taken here is taken there too. */
  readonly within?: Room | undefined;
}

/**
 * A room of `limit` bytes. A request that is larger gets in when its key has nothing else there; and the only key in
 * the room may have all of it.
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
