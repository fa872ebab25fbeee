// The format of a saved segment: a header, a list of contents in JSON, then the columns one after another, each at a
// multiple of eight bytes, then, at a multiple of their size, blocks with the texts that stay in the file. Bytes that
// are damaged, cut off, of another version or another byte order read as undefined, and reading a damaged block throws:
// the segment is then built again from the calls.

import type { Spans } from "./segment-parts.ts";

// Increases with every change of the layout or of a column's meaning: older bytes are then rebuilt.
export const FORMAT = 9;

// Reads as another number with another byte order.
export const MAGIC = 0x59415353;

export const HEAD_BYTES = 16;

/** Digests of rows that are saved separately (row-lists.ts): their number and checksum. */
export interface RowList {
  readonly rows: number;
  readonly checksum: number;
}

/** The list of contents, in JSON. */
export interface Contents {
  readonly version: number;
  readonly arranged: number;
  /** Of the sections. */
  readonly checksum: number;
  readonly sections: readonly { readonly name: string; readonly bytes: number }[];
  readonly scores: readonly {
    readonly keys: readonly string[];
    readonly kinds: number;
  }[];
  readonly structures: readonly { readonly keys: readonly string[]; readonly array: boolean }[];
  readonly spans: readonly (readonly [number, Spans])[];
  /** Lists of trials' texts that are in blocks: the others are empty. */
  readonly lists: readonly TrialList[];
  /** Whether all examples are references to rows that differ only in the rows' digests: they are then not in blocks. */
  readonly areReferences: boolean;
  /** The width in bytes of the lengths of each list of texts. */
  readonly widths: { readonly [list: string]: number };
  /** The list with its rows' digests; undefined if they are in it. */
  readonly rowList: RowList | undefined;
  /** Whether digests take six bits for each character. */
  readonly hasSixBits: boolean;
  /** Columns that are a sequence and have no section. */
  readonly sequences: { readonly [column: string]: Sequence };
}

/** Numbers that grow by `step`, starting with `first`; NaN for null. */
export interface Sequence {
  readonly first: number | null;
  readonly step: number;
  readonly length: number;
}

export const FLOATS = ["startedAt", "latency", "ownLatency", "tokens", "ownTokens"] as const;

export const INDEXES = ["exampleOf", "rowOfExample", "firstTrial"] as const;

/**
 * Columns that are left out if they are equal to another one: without children, a trial's latency and tokens are its
 * own, and mostly a row has one example.
 */
export const ORIGINALS: { readonly [column: string]: "latency" | "tokens" | "rowOf" | undefined } = {
  ...{ ownLatency: "latency", ownTokens: "tokens", exampleOf: "rowOf" },
};

export const IN_BLOCKS = ["trials", "examples"] as const;

export type TrialList = "ids" | "outputs" | "predictIds" | "scorerIds";
