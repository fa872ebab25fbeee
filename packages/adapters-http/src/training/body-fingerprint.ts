// What a body is known by when it is sent again under an idempotency key: the SHA-256 of its bytes, taken as they arrive,
// so that nothing is made of a large body but what it says.

import { createHash } from "node:crypto";

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** A fingerprint that is being taken. */
export interface BodyFingerprint {
  /** Reads on. */
  push(bytes: Uint8Array): void;
  /** SHA-256, lower-case hexadecimal, of all that was read. */
  digest(): string;
}

/**
 * Takes the fingerprint of a JSON text. White space between its parts does not count, everything else does: the order
 * of members, and how texts and numbers are written. So a body has the fingerprint of what `JSON.stringify` makes of
 * it, unless its client writes numbers or texts otherwise than JavaScript does.
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
