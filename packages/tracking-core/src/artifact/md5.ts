// Stores bytes in the artifact store and computes the MD5, by which W&B's clients identify them.

import { bad, ok, type Result } from "@assay/base";
import type { ArtifactStore, StoredBlob } from "@assay/training-core";
import { md5 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** Stored bytes, with both of their digests. */
export interface KeptBytes extends StoredBlob {
  /** MD5, hexadecimal. */
  readonly md5: string;
}

/** Aborts the writing of bytes with the wrong digest. */
class NotKept extends Error {}

/** Stores bytes. If `expected` is given and they have another MD5, nothing is stored: the issue `digest_mismatch`. */
export async function md5Checked(
  artifacts: ArtifactStore,
  bytes: AsyncIterable<Uint8Array>,
  expected: string | undefined,
): Promise<Result<KeptBytes>> {
  const digest = md5.create();
  let found: string | undefined;
  async function* checked(): AsyncIterable<Uint8Array> {
    for await (const piece of bytes) {
      digest.update(piece);
      yield piece;
    }
    found = bytesToHex(digest.digest());
    if (expected !== undefined && found !== expected) throw new NotKept();
  }
  try {
    const blob = await artifacts.write(checked());
    return ok({ ...blob, md5: found! });
  } catch (error) {
    if (found === undefined || expected === undefined || found === expected) throw error;
    const message = `the bytes have the MD5 ${found}, not ${expected}`;
    return bad([{ code: "digest_mismatch", path: ["md5"], message }]);
  }
}

/** The MD5 of bytes in chunks, hexadecimal. */
export async function md5Of(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const digest = md5.create();
  for await (const piece of bytes) digest.update(piece);
  return bytesToHex(digest.digest());
}
