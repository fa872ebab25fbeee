// The fingerprint of a body, which identifies it when it is sent again under an idempotency key: the SHA-256 of its
// bytes, computed as they arrive, so that a large body need not be serialized again.

import { createHash } from "node:crypto";

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** A fingerprint in progress. */
export interface BodyFingerprint {
  /** Reads more bytes. */
  push(bytes: Uint8Array): void;
  /** SHA-256, lower-case hexadecimal, of everything read. */
  digest(): string;
}

/**
 * Computes the fingerprint of a JSON text. White space between its tokens does not count; everything else does,
 * including the order of members and the notation of texts and numbers. The fingerprint therefore equals that of the
 * output of `JSON.stringify` for a body whose client uses JavaScript's notation.
 */
export function bodyFingerprint(): BodyFingerprint {
  const hash = createHash("sha256");
  let [inText, escaped] = [false, false];
  return {
    push(bytes) {
      const kept = new Uint8Array(bytes.length);
      let length = 0;
      for (const byte of bytes) {
        if (inText) {
          if (escaped) escaped = false;
          else if (byte === BACKSLASH) escaped = true;
          else if (byte === QUOTE) inText = false;
        } else if (byte === QUOTE) inText = true;
        else if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
        kept[length++] = byte;
      }
      hash.update(kept.subarray(0, length));
    },
    digest: () => hash.digest("hex"),
  };
}
