import type { Json, Steps } from "@assay/base";
import type { Call } from "../call.ts";

/** A call, and the JSON text that says it: what is kept, unknown keys and all. */
export interface CallText {
  /** What the text says. Of its payload (`inputs`, `output`, …) a store keeps nothing but the text. */
  readonly call: Call;
  /** One JSON object, as text or as its UTF-8 bytes. Must not be changed afterwards. */
  readonly text: string | Uint8Array;
  /** The CRC-32 of the text's bytes, when the reader has computed it; the text is one line then. */
  readonly crc?: number;
}

/** A call as a store gives it back: what `call` says of deletion is how it is now, whatever the text says. */
export interface KeptCall extends CallText {
  /** One JSON object. */
  readonly text: string;
  /** The object, when the store has parsed its text already: it may have keys that no call has. */
  readonly record?: { readonly [key: string]: Json };
}

/**
 * What becomes of an existing call when another piece of it comes, at once or, of calls that may be long, in steps. A
 * store may join a piece again to what it was joined to: that must change nothing.
 */
export type JoinCalls = (known: KeptCall, piece: CallText) => CallText | Steps<CallText>;

/** Calls for one project. */
export interface ProjectCalls {
  /** `<entity>/<project>`. */
  readonly project: string;
  /** Calls, or pieces of them. */
  readonly calls: readonly CallText[];
}

/**
 * How calls get into a store. What is put is there for every query of the store when the promise resolves. When the
 * storage itself fails, it throws a `Fault`. How much of a put that fails is there, and what survives the death of a
 * process, each store says for itself.
 */
export interface CallWriter {
  /**
   * Puts calls, in order: a call with an existing id replaces it (or joins it, when `join` is given); the same text
   * again changes nothing. The number of calls that changed.
   */
  put(project: string, calls: readonly CallText[], join?: JoinCalls): Promise<number>;

  /** The same for calls of several projects. */
  putTogether(calls: readonly ProjectCalls[], join?: JoinCalls): Promise<number>;

  /**
   * Marks calls as deleted, at an ISO 8601 time. Ids that are not there are ignored. The number deleted.
   */
  delete(project: string, ids: readonly string[], at: string): Promise<number>;
}
