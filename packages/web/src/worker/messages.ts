// Messages between the page and its workers: the one that reads files, and the one that answers queries about them.

import type { CountedEvaluation, KeptDirection } from "@assay/eval-engine";

/** A project's directions of scores, by field. */
type SaidDirections = readonly (readonly [field: string, direction: KeptDirection])[];

/** The content of an exported file, according to its header. */
export interface FileFacts {
  /** `entity/project`. */
  readonly project: string;
  /** The evaluations as a server lists them, by start. */
  readonly evaluations: readonly CountedEvaluation[];
  /** The directions of its scores. Absent in older files. */
  readonly directions?: SaidDirections | undefined;
  /** When the file was made, ISO 8601. */
  readonly made: string;
  /** Whether its rows were selected by their scores, which biases verdicts. Absent: no. */
  readonly picked?: boolean | undefined;
}

/** Calls and dataset rows: JSON lines, plain or compressed with gzip, in chunks that belong together in order. */
export interface SealedData {
  /** `entity/project`. */
  readonly project: string;
  /** Its evaluations; counted if absent. */
  readonly evaluations?: readonly CountedEvaluation[] | undefined;
  /** The directions of its scores. */
  readonly directions?: SaidDirections | undefined;
  /** Whether its rows were selected by their scores, which biases verdicts. Absent: no. */
  readonly picked?: boolean | undefined;
  readonly calls: readonly Uint8Array<ArrayBuffer>[];
  readonly rows: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Messages to the answering worker: first the data, complete or as it arrives, then requests, each with its own number.
 */
export type ToWorker =
  | { readonly kind: "open"; readonly data: SealedData }
  /** Its calls and rows arrive in chunks. */
  | { readonly kind: "receive"; readonly facts: Omit<SealedData, "calls" | "rows"> }
  /** JSON lines, cut anywhere; without bytes at the end, with the reason if the data is unavailable. */
  | {
      readonly kind: "piece";
      readonly of: "calls" | "rows";
      readonly bytes?: Uint8Array<ArrayBuffer>;
      readonly failure?: string;
    }
  | {
      readonly kind: "ask";
      readonly id: number;
      readonly url: string;
      readonly method: string;
      readonly headers: readonly (readonly [string, string])[];
      readonly body: ArrayBuffer | null;
    }
  | { readonly kind: "stop"; readonly id: number };

/** From the worker: the answer to the request with that number. */
export interface FromWorker {
  readonly id: number;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ArrayBuffer;
}

/** To the reading worker: dropped files. */
export interface ToReader {
  readonly files: readonly File[];
  /** The project for their evaluations. */
  readonly project: string;
}

/** From the reading worker. */
export type FromReader =
  | { readonly kind: "read"; readonly data: SealedData; readonly notes: readonly string[] }
  /** Nothing of it can be shown, and why. */
  | { readonly kind: "unreadable"; readonly notes: readonly string[] };
