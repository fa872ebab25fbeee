import type { Json, Steps } from "@assay/base";
import type { Call } from "../call/call.ts";

/** A call and its JSON text, which is what is stored, including unknown keys. */
export interface CallText {
  /** The parsed text. Of its payload (`inputs`, `output`, …) a store keeps only the text. */
  readonly call: Call;
  /** One JSON object, as text or as its UTF-8 bytes. Must not be changed afterwards. */
  readonly text: string | Uint8Array;
  /** The CRC-32 of the text's bytes, if the reader has computed it; the text is then one line. */
  readonly crc?: number;
}

/** A call returned by a store: `call.deleted_at` is up to date, even if the text is not. */
export interface KeptCall extends CallText {
  /** One JSON object. */
  readonly text: string;
  /** The object, if the store has already parsed its text: it may have keys that calls do not. */
  readonly record?: { readonly [key: string]: Json };
}

/**
 * Combines an existing call with another piece of it, in one go or, for calls that may be long, in steps. A store may
 * join a piece to a call that already includes it: that must change nothing.
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
 * Writes calls to a store. When the promise resolves, every query of the store sees them. Throws a `Fault` if the
 * storage fails. Each store documents how much of a failed put is stored, and what survives the end of a process.
 */
export interface CallWriter {
  /**
   * Puts calls, in order: a call with an existing id replaces it (or is joined with it, if `join` is given); an
   * identical text changes nothing. Returns the number of changed calls.
   */
  put(project: string, calls: readonly CallText[], join?: JoinCalls): Promise<number>;

  /** Puts calls of several projects together. */
  putTogether(calls: readonly ProjectCalls[], join?: JoinCalls): Promise<number>;

  /** Marks calls as deleted, at an ISO 8601 time. Unknown ids are ignored. Returns the number of deleted calls. */
  delete(project: string, ids: readonly string[], at: string): Promise<number>;
}
