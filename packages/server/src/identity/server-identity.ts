// Verifies that a server is the one that has the data directory open. The note in the lock file outlives a killed
// server, and its process ID and port may then belong to another program, which must never receive a key.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { lockHolder } from "@assay/adapters-duckdb";

/** The path of the proof. */
export const PROOF_PATH = "/v1/server-proof";
/** Far longer than a server is ever busy with one thing. */
const PATIENCE_MS = 15_000;

/** A secret for the note in the lock file, which only users with access to the data directory can read. */
export function newServerSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The address of the server that has a data directory open; undefined if there is none, or if it cannot prove itself.
 */
export async function findServer(directory: string): Promise<string | undefined> {
  const { address, secret } = lockHolder(directory) ?? {};
  if (address === undefined || secret === undefined) return undefined;
  return (await proves(address, secret)) ? address : undefined;
}

async function proves(address: string, secret: string): Promise<boolean> {
  const challenge = newServerSecret();
  try {
    const response = await fetch(`${address}${PROOF_PATH}?challenge=${challenge}`, {
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { proof } = (await response.json()) as { readonly proof?: unknown };
    return typeof proof === "string" && same(proof, proofOf(secret, challenge));
  } catch {
    // Either nothing answers there, or it is not our server.
    return false;
  }
}

/** The answer to a challenge, which requires the secret. */
export function proofOf(secret: string, challenge: string): string {
  return createHmac("sha256", secret).update(challenge).digest("base64url");
}

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
