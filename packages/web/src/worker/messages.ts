// What the page of an exported file and its worker say to each other.

import type { CountedEvaluation } from "@assay/eval-engine";

/** What an exported file holds, as far as its header says it. */
export interface FileFacts {
  /** `entity/project`. */
  readonly project: string;
  /** The evaluations as the list of a server has them, by start. */
  readonly evaluations: readonly CountedEvaluation[];
  /** When the file was made, ISO 8601. */
  readonly made: string;
}

/** The data of a file: JSON lines, compressed with gzip, in pieces that belong together in this order. */
export interface FileData {
  readonly facts: FileFacts;
  readonly calls: readonly Uint8Array<ArrayBuffer>[];
  readonly rows: readonly Uint8Array<ArrayBuffer>[];
}

/** To the worker: first the data, then requests, each under a number of its own. */
export type ToWorker =
  | { readonly kind: "open"; readonly data: FileData }
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
