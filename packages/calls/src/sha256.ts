// SHA-256 of bytes: by the runtime where it has a synchronous one (Node, Bun, Deno), and in JavaScript elsewhere, which
// takes several times as long. Nothing of a runtime may be imported here: in a page there is none.

import { sha256 as inJavaScript } from "@noble/hashes/sha2.js";

type Hash = (algorithm: "sha256", bytes: Uint8Array, encoding: "buffer") => Uint8Array;

interface Runtime {
  getBuiltinModule?(name: "node:crypto"): { readonly hash?: Hash } | undefined;
}

const { process } = globalThis as { readonly process?: Runtime };
const hash = process?.getBuiltinModule?.("node:crypto")?.hash;

/** The digest, 32 bytes. */
export const sha256: (bytes: Uint8Array) => Uint8Array =
  hash === undefined ? inJavaScript : (bytes) => hash("sha256", bytes, "buffer");
