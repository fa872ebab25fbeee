// What the page and its workers say to each other: the one that reads files, and the one that answers what they hold.

import type { CountedEvaluation, KeptDirection } from "@assay/eval-engine";

/** What a project says of its scores, by field. */
type SaidDirections = readonly (readonly [field: string, direction: KeptDirection])[];

/** What an exported file holds, as far as its header says it. */
export interface FileFacts {
  /** `entity/project`. */
  readonly project: string;
  /** The evaluations as the list of a server has them, by start. */
  readonly evaluations: readonly CountedEvaluation[];
  /** What its project said of its scores. Files of before have none. */
  readonly directions?: SaidDirections | undefined;
  /** When the file was made, ISO 8601. */
  readonly made: string;
}

/** Calls and dataset rows: JSON lines, as they are or compressed with gzip, in pieces that belong together in order. */
export interface SealedData {
  /** `entity/project`. */
  readonly project: string;
  /** Its evaluations; counted where they are not given. */
  readonly evaluations?: readonly CountedEvaluation[] | undefined;
  /** What its project said of its scores. */
  readonly directions?: SaidDirections | undefined;
  readonly calls: readonly Uint8Array<ArrayBuffer>[];
  readonly rows: readonly Uint8Array<ArrayBuffer>[];
}

/** To the worker that answers: first the data, at once or as it comes, then requests, each under a number of its own. */
export type ToWorker =
  | { readonly kind: "open"; readonly data: SealedData }
  /** Its calls and rows come in pieces. */
  | { readonly kind: "receive"; readonly facts: Omit<SealedData, "calls" | "rows"> }
  /** JSON lines, cut anywhere; without bytes when there are no more, and why where they cannot be had. */
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

/** From the worker: the answer to the request of that number. */
export interface FromWorker {
  readonly id: number;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ArrayBuffer;
}

/** To the worker that reads: files that someone dropped. */
export interface ToReader {
  readonly files: readonly File[];
  /** The project that their evaluations are put into. */
  readonly project: string;
}

/** From the worker that reads. */
export type FromReader =
  | { readonly kind: "read"; readonly data: SealedData; readonly notes: readonly string[] }
  /** Nothing of it can be looked at, and why. */
  | { readonly kind: "unreadable"; readonly notes: readonly string[] };
