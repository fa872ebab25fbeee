// The names that Weave clients expect content to have.

import type { Json } from "@assay/base";
import { bytesDigest, canonicalJson, textDigest } from "@assay/eval-engine";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * The digest of a JSON value: of an object, or of a row of a table. A row has the digest by which evaluations know it
 * (docs/semantics.md, "Row identity").
 */
export function valueDigest(value: Json): string {
  return textDigest(canonicalJson(value));
}

/** The digest of a table: SHA-256, in hexadecimal, of its rows' digests one after the other. */
export function tableDigest(rowDigests: readonly string[]): string {
  return bytesToHex(sha256(utf8ToBytes(rowDigests.join(""))));
}

/** The digest of a file. */
export function fileDigest(bytes: Uint8Array): string {
  return bytesDigest(bytes);
}
