// An artifact store in memory. For tests, examples and services that need not keep data.

import { Fault } from "@assay/base";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import type { ArtifactStore } from "../ports/artifact-store.ts";

/** An `ArtifactStore` that keeps everything in memory. */
export function memoryArtifactStore(): ArtifactStore {
  const blobs = new Map<string, Uint8Array>();

  return {
    async write(bytes) {
      const pieces: Uint8Array[] = [];
      for await (const piece of bytes) pieces.push(piece);
      const whole = concatBytes(...pieces);
      const name = bytesToHex(sha256(whole));
      blobs.set(name, whole);
      return { sha256: name, size: whole.length };
    },
    async *read(name) {
      const whole = blobs.get(name);
      if (whole === undefined) throw new Fault("missing", `there is no artifact ${name}`);
      yield whole.slice();
    },
    async find(name) {
      const whole = blobs.get(name);
      return whole === undefined ? undefined : { sha256: name, size: whole.length };
    },
    async remove(name) {
      blobs.delete(name);
    },
  };
}
