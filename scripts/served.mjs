// A server of the built command over an empty data directory, for as long as something asks it.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressOf, spawnAssay } from "../testing/src/spawn.mjs";

/** What `ask` finds at the server's address. */
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
