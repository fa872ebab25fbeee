// Decides what a store has to write when calls are put: joins pieces with stored calls in order, and returns only
// changes. Pure: the store provides what it has, and does the reading and writing.

import type { Steps } from "@assay/base";
import { utf8Text } from "./encoding/utf8-text.ts";
import type { CallText, JoinCalls, KeptCall } from "./ports/call-writer.ts";

/** A store's calls, as a write plan needs them. */
export interface StoredCalls<Stored> {
  /** The stored state of the call with this id; undefined if none. */
  find(id: string): Stored | undefined;
  /** The stored call to join with; undefined if its text was not read, or is damaged. */
  callOf(stored: Stored): CallText | undefined;
  /** Whether writing a call would change nothing in the store. */
  isSame(stored: Stored, item: CallText): boolean;
}

/** A call to write. */
interface PlannedCall<Stored, Put> {
  /** Its new content. */
  readonly item: CallText;
  /** What it replaces. */
  readonly stored: Stored | undefined;
  /** The put that last changed it. */
  readonly put: Put;
}

/** Collects the calls to write as pieces arrive. */
export interface WritePlan<Stored, Put> {
  /** Adds one piece, in steps: it replaces earlier pieces and what is stored, or is joined with them. */
  add(piece: CallText, put: Put, join: JoinCalls | undefined): Steps<void>;
  /** The calls to write, without duplicates, in order of first appearance. */
  changes(): readonly PlannedCall<Stored, Put>[];
}

/** Creates an empty plan over stored calls. */
export function writePlan<Stored, Put>(stored: StoredCalls<Stored>): WritePlan<Stored, Put> {
  const planned = new Map<string, PlannedCall<Stored, Put>>();
  // Calls changed in several steps, the last of which may have restored what is stored.
  const revised = new Set<string>();
  return {
    *add(piece, put, join) {
      const { id } = piece.call;
      const earlier = planned.get(id);
      const before = earlier === undefined ? stored.find(id) : earlier.stored;
      const current = earlier?.item ?? (before === undefined ? undefined : stored.callOf(before));
      const joined = current === undefined || join === undefined ? piece : join(knownCall(current), piece);
      const item = "next" in joined ? yield* joined : joined;
      // A piece that changes nothing leaves the call to the put that last changed it.
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

/** The call to join with, copied member by member: a call that is a view of a block of lines has getters. */
function knownCall(current: CallText & Pick<KeptCall, "record">): KeptCall {
  const { call, text, record } = current;
  return { call, text: utf8Text(text), ...(record !== undefined && { record }) };
}

/** Whether two calls have identical texts, and are both deleted or both live. */
export function isSameCall(a: CallText, b: CallText): boolean {
  if (a.call.deleted_at !== b.call.deleted_at) return false;
  if (typeof a.text === "string" || typeof b.text === "string") return utf8Text(a.text) === utf8Text(b.text);
  const [x, y] = [a.text, b.text];
  if (x.length !== y.length) return false;
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false;
  return true;
}

/** The maximum number of calls written together, unless a single put has more. */
const TOGETHER = 8192;

/** How many puts from the front of a queue to write together: the first, and those after it that fit. */
export function batchLength<Put extends { readonly count: number }>(
  queue: readonly Put[],
  fits: (put: Put, first: Put) => boolean = () => true,
): number {
  let [calls, puts] = [0, 0];
  for (const put of queue) {
    calls += put.count;
    if (puts > 0 && (calls > TOGETHER || !fits(put, queue[0]!))) break;
    puts++;
  }
  return puts;
}
