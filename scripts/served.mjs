// Starts the built command as a server over an empty data directory, until a callback is done with it.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressOf, spawnAssay } from "../testing/src/spawn.mjs";

/** Calls `ask` with the server's address and returns its result. */
export async function withServer(ask) {
  const folder = mkdtempSync(join(tmpdir(), "assay-served-"));
  const args = ["serve", "--data", join(folder, "data"), "--port", "0", "--metrics"];
  const child = spawnAssay(args, { inherit: true });
  const ended = once(child, "close");
  try {
    return await ask(await addressOf(child));
  } finally {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}
