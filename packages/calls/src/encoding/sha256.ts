// SHA-256 of bytes. Uses the runtime's synchronous implementation if it has one (Node, Bun, Deno), otherwise one in
// JavaScript, which takes several times as long.

import { builtinModule } from "@assay/base/internal";
import { sha256 as inJavaScript } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

type Hash = (algorithm: "sha256", data: Uint8Array | string, encoding: "base64url") => string;

interface RuntimeHash {
  update(bytes: Uint8Array): unknown;
  digest(encoding: "base64url"): string;
}

const { hash, createHash } = builtinModule<{
  readonly hash: Hash;
  readonly createHash: (algorithm: "sha256") => RuntimeHash;
}>("node:crypto");

/** The digest of bytes, or of a text in UTF-8, in base64url without padding: 43 characters. */
export const sha256: (data: Uint8Array | string) => string =
  hash === undefined
    ? (data) => base64url(inJavaScript(typeof data === "string" ? utf8ToBytes(data) : data))
    : (data) => hash("sha256", data, "base64url");

/** A digest of bytes in pieces. */
export interface RunningDigest {
  /** Adds bytes. */
  add(bytes: Uint8Array): void;
  /** The digest of all bytes. Call it once. */
  end(): string;
}

/** Starts the same digest for bytes in pieces. */
export function startSha256(): RunningDigest {
  if (createHash !== undefined) {
    const running = createHash("sha256");
    return { add: (bytes) => void running.update(bytes), end: () => running.digest("base64url") };
  }
  const running = inJavaScript.create();
  return { add: (bytes) => void running.update(bytes), end: () => base64url(running.digest()) };
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const CODES = Uint8Array.from(LETTERS, (letter) => letter.charCodeAt(0));

/** Created from all codes in one call, because readers must flatten a text that was built letter by letter. */
function base64url(bytes: Uint8Array): string {
  const codes: number[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b = 0, c = 0] = [bytes[i]!, bytes[i + 1], bytes[i + 2]];
    codes.push(CODES[a >> 2]!, CODES[((a & 3) << 4) | (b >> 4)]!);
    if (i + 1 < bytes.length) codes.push(CODES[((b & 15) << 2) | (c >> 6)]!);
    if (i + 2 < bytes.length) codes.push(CODES[c & 63]!);
  }
  return String.fromCharCode(...codes);
}
