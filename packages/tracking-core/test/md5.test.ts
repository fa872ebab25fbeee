import { memoryArtifactStore } from "@assay/training-core/testing";
import { md5 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { md5Checked } from "../src/artifact/md5.ts";

const bytes = new TextEncoder().encode("some bytes");
const own = bytesToHex(md5(bytes));

async function* inPieces() {
  yield bytes.subarray(0, 3);
  yield bytes.subarray(3);
}

test.each([own, undefined])(
  "bytes with the expected MD5, %s, are stored under both digests",
  async (expected) => {
    const artifacts = memoryArtifactStore();
    const kept = await md5Checked(artifacts, inPieces(), expected);
    if (!kept.ok) throw new Error("refused");
    expect(kept.value).toMatchObject({ md5: own, size: bytes.length });
    expect(await artifacts.find(kept.value.sha256)).toMatchObject({ size: bytes.length });
  },
);

test("bytes with another MD5 than expected are refused, and nothing is stored", async () => {
  const artifacts = memoryArtifactStore();
  const { value } = (await md5Checked(memoryArtifactStore(), inPieces(), own)) as {
    value: { sha256: string };
  };
  expect(await md5Checked(artifacts, inPieces(), "0".repeat(32))).toMatchObject({
    ok: false,
    issues: [{ code: "digest_mismatch", path: ["md5"] }],
  });
  expect(await artifacts.find(value.sha256)).toBeUndefined();
});
