// The manifest of an artifact: its paths, with the bytes of each. Written by clients, and for checkpoints by this
// package.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import { md5 } from "@noble/hashes/legacy.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { pathIssue } from "../names.ts";
import type { ArtifactEntry } from "./artifact.ts";

/** The most files of one artifact. */
const MOST_ENTRIES = 100_000;
const LONGEST_REF = 4096;

/** Converts an MD5 from base64, as clients write it, to hexadecimal; undefined if it is not one. */
export function md5FromBase64(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{22}==$/.test(text)) return undefined;
  return bytesToHex(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}

/** Converts an MD5 to base64, as clients write it. */
export function md5ToBase64(hex: string): string {
  return btoa(String.fromCharCode(...hexToBytes(hex)));
}

/**
 * Reads a manifest. Its entries contain only MD5s, not where their bytes are. Issues: `json`, `type`, `name`,
 * `too_large`.
 */
export function readManifest(text: string): Result<readonly ArtifactEntry[]> {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return wrong("json", [], "the manifest is not JSON");
  }
  const contents = isJsonObject(manifest) ? manifest["contents"] : undefined;
  if (!isJsonObject(contents))
    return wrong("type", ["contents"], "the manifest must have an object of contents");
  const listed = Object.entries(contents);
  if (listed.length > MOST_ENTRIES)
    return wrong("too_large", ["contents"], `an artifact may have at most ${MOST_ENTRIES} files`);
  const entries: ArtifactEntry[] = [];
  for (const [path, raw] of listed) {
    const issue = pathIssue(path);
    if (issue !== undefined) return bad([issue]);
    const entry = readEntry(path, raw);
    if (!entry.ok) return entry;
    entries.push(entry.value);
  }
  return ok(entries.sort((a, b) => (a.path < b.path ? -1 : 1)));
}

function readEntry(path: string, raw: unknown): Result<ArtifactEntry> {
  const at = ["contents", path];
  if (!isJsonObject(raw) || typeof raw["digest"] !== "string")
    return wrong("type", at, "an entry of the manifest must have a digest");
  const { digest, size = 0, ref } = raw;
  if (!Number.isSafeInteger(size) || (size as number) < 0)
    return wrong("type", at, "the size of an entry must be a non-negative whole number");
  if (ref !== undefined && ref !== null) {
    if (typeof ref !== "string" || ref.length > LONGEST_REF)
      return wrong("type", at, `a reference must be a text of at most ${LONGEST_REF} characters`);
    return ok({ path, digest: String(digest), size: size as number, ref });
  }
  const hex = md5FromBase64(String(digest));
  if (hex === undefined)
    return wrong(
      "type",
      at,
      "the digest of an entry must be an MD5 in base64; other digests are not supported",
    );
  return ok({ path, digest: hex, size: size as number });
}

/** The manifest with these entries, all of which have bytes. */
export function manifestText(entries: readonly ArtifactEntry[]): string {
  const contents = Object.fromEntries(
    entries.map(({ path, digest, size }) => [path, { digest: md5ToBase64(digest), size }]),
  );
  return JSON.stringify({
    version: 1,
    storagePolicy: "wandb-storage-policy-v1",
    storagePolicyConfig: { storageLayout: "V2" },
    contents,
  });
}

/** The digest of an artifact with these entries, as clients compute it. */
export function artifactDigest(entries: readonly ArtifactEntry[]): string {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  const lines = sorted.map(({ path, digest }) => `${path}:${md5ToBase64(digest)}\n`);
  return bytesToHex(md5(utf8ToBytes(`wandb-artifact-manifest-v1\n${lines.join("")}`)));
}

function wrong(code: string, path: Issue["path"], message: string): Result<never> {
  return bad([{ code, path, message }]);
}
