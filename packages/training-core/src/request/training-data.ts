// Training data that needs no adapter: uploads, and sources that are tried in order.

import { Fault } from "@assay/base";
import type { ArtifactStore } from "../ports/artifact-store.ts";
import type { TrainingData } from "../ports/training-data.ts";

/** The address of uploaded training data, by its SHA-256. */
export function uploadUrl(sha256: string): string {
  return `upload:${sha256}`;
}

/** Serves `upload:<sha256>` addresses from the artifacts. Anyone who knows the digest may read the data. */
export function uploadedData(artifacts: ArtifactStore): TrainingData {
  return {
    async open(url) {
      const sha256 = /^upload:([0-9a-f]{64})$/.exec(url)?.[1];
      if (sha256 === undefined) return undefined;
      if ((await artifacts.find(sha256)) === undefined)
        throw new Fault("missing", `there is no upload ${sha256}`);
      return artifacts.read(sha256);
    },
  };
}

/** Tries `sources` in order and uses the first that serves an address. */
export function firstTrainingData(...sources: readonly TrainingData[]): TrainingData {
  return {
    async open(url, signal) {
      for (const source of sources) {
        const bytes = await source.open(url, signal);
        if (bytes !== undefined) return bytes;
      }
      return undefined;
    },
  };
}
