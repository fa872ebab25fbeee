// The secret of a data directory that signs addresses: kept, so that an address outlives a restart of its server.

import { randomBytes } from "node:crypto";
import type { Database } from "../database.ts";

/** The secret, made when there is none: 32 bytes. */
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
