// Training data in memory: texts by address.

import type { TrainingData } from "../ports/training-data.ts";

/** Serves the texts of `byUrl`. For tests and examples. */
export function memoryTrainingData(byUrl: ReadonlyMap<string, string>): TrainingData {
  return {
    async open(url) {
      const text = byUrl.get(url);
      return text === undefined ? undefined : bytesOf(text);
    },
  };
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text);
}
