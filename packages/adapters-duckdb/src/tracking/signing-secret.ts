// The secret of a data directory for signing addresses: stored, so that addresses survive a restart of the server.

import { randomBytes } from "node:crypto";
import type { Database } from "../database/database.ts";

/** The secret of 32 bytes, created if missing. */
export async function signingSecret(database: Database): Promise<Uint8Array> {
  const hex = await database.write(async (transaction) => {
    const [found] = await transaction.columns("SELECT secret FROM tracking_secret");
    if (found!.length > 0) return found![0] as string;
    const made = randomBytes(32).toString("hex");
    await transaction.run("INSERT INTO tracking_secret VALUES (?)", [made]);
    return made;
  });
  return Buffer.from(hex, "hex");
}
