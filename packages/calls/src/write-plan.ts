// What a store has to write when calls are put: pieces joined with what is stored, one after another, and of the result
// only what is new. Pure: a store says what it has, and does the reading and the writing.

import type { Steps } from "@assay/base";
import type { CallText, JoinCalls, KeptCall } from "./ports/call-writer.ts";
import { utf8Text } from "./utf8-text.ts";

/** What a store has of calls. */
export interface StoredCalls<Stored> {
  /** What the store has of the call with this id; undefined if nothing. */
  find(id: string): Stored | undefined;
  /** The stored call, to be joined with; undefined when its text was not read, or is damaged. */
  callOf(stored: Stored): CallText | undefined;
  /** Whether a call, written, would change nothing in the store. */
  isSame(stored: Stored, item: CallText): boolean;
}

/** A call to write. */
interface PlannedCall<Stored, Put> {
  /** As it is to be. */
  readonly item: CallText;
  /** What is stored in its place. */
  readonly stored: Stored | undefined;
  /** The put that made it what it is to be. */
  readonly put: Put;
}

/** Calls to write, as pieces come in. */
export interface WritePlan<Stored, Put> {
  /** Takes one piece, in steps: it replaces what came before it and what is stored, or is joined with it. */
  add(piece: CallText, put: Put, join: JoinCalls | undefined): Steps<void>;
  /** What is to be written, each call once, in the order in which they first came. */
  changes(): readonly PlannedCall<Stored, Put>[];
}

/** A plan that writes nothing yet, over what is stored. */
export function writePlan<Stored, Put>(stored: StoredCalls<Stored>): WritePlan<Stored, Put> {
  const planned = new Map<string, PlannedCall<Stored, Put>>();
  // Those that came to be what they are in several steps, the last of which may have led back to what is stored.
  const revised = new Set<string>();
  return {
    *add(piece, put, join) {
      const { id } = piece.call;
      const earlier = planned.get(id);
      const before = earlier === undefined ? stored.find(id) : earlier.stored;
      const current = earlier?.item ?? (before === undefined ? undefined : stored.callOf(before));
      const joined = current === undefined || join === undefined ? piece : join(knownCall(current), piece);
      const item = "next" in joined ? yield* joined : joined;
      // A piece that changes nothing leaves the call to the put that made it what it is.
      const isChange =
        earlier === undefined
          ? before === undefined || !stored.isSame(before, item)
          : !isSameCall(earlier.item, item);
      if (!isChange) return;
      if (earlier !== undefined) revised.add(id);
      planned.set(id, { item, stored: before, put });
    },
    changes: () =>
      [...planned.values()].filter(
        ({ item, stored: before }) =>
          before === undefined || !revised.has(item.call.id) || !stored.isSame(before, item),
      ),
  };
}

/** What there is to join with: member by member, for a call that is a view of a block of lines has getters. */
function knownCall(current: CallText & Pick<KeptCall, "record">): KeptCall {
  const { call, text, record } = current;
  return { call, text: utf8Text(text), ...(record !== undefined && { record }) };
}

/** Whether two calls have the very same text, and are both deleted or both not. */
export function isSameCall(a: CallText, b: CallText): boolean {
  if (a.call.deleted_at !== b.call.deleted_at) return false;
  if (typeof a.text === "string" || typeof b.text === "string") return utf8Text(a.text) === utf8Text(b.text);
  const [x, y] = [a.text, b.text];
  if (x.length !== y.length) return false;
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false;
  return true;
}

/** Calls that are written together at most, unless one put has more. */
const TOGETHER = 8192;

/** Takes from the front of a queue what is written together: the first put, and those after it that fit beside it. */
export function takeTogether<Put extends { readonly count: number }>(
  queue: Put[],
  fits: (put: Put, first: Put) => boolean = () => true,
): Put[] {
  const [first] = queue;
  if (first === undefined) return [];
  let calls = first.count;
  let puts = 1;
  for (let next = queue[1]; next !== undefined && fits(next, first); next = queue[puts]) {
    calls += next.count;
    if (calls > TOGETHER) break;
    puts++;
  }
  return queue.splice(0, puts);
}
