// The digests by which Weave clients identify content.

import { atOnce, type Json, type Steps } from "@assay/base";
import {
  bytesDigest,
  canonicalJson,
  type RunningDigest,
  startBytesDigest,
  textDigest,
} from "@assay/calls/internal";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * The digest of a JSON value: of an object, or of a row of a table. Evaluations identify a row by the same digest
 * (docs/reference/semantics.md, "Row identity").
 */
export function valueDigest(value: Json): string {
  return textDigest(canonicalJson(value));
}

/** The digest of a table: the SHA-256, in hexadecimal, of its rows' concatenated digests. */
export function tableDigest(rowDigests: readonly string[]): string {
  return atOnce(tableDigestSteps(rowDigests));
}

/** The number of digests per step. */
const STRETCH = 1000;

/** The same in steps: a table may have millions of rows. */
export function* tableDigestSteps(rowDigests: readonly string[]): Steps<string> {
  const hash = sha256.create();
  for (let i = 0; i < rowDigests.length; i += STRETCH) {
    hash.update(utf8ToBytes(rowDigests.slice(i, i + STRETCH).join("")));
    yield;
  }
  return bytesToHex(hash.digest());
}

/** The digest of a file. */
export function fileDigest(bytes: Uint8Array): string {
  return bytesDigest(bytes);
}

/** The digest of a file that arrives in chunks. */
export function startFileDigest(): RunningDigest {
  return startBytesDigest();
}
