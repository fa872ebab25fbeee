// A server of the built command over an empty data directory, for as long as something asks it.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What `ask` finds at the server's address. */
export async function withServer(ask) {
  const folder = mkdtempSync(join(tmpdir(), "assay-served-"));
  const command = join(root, "packages/cli/bundle/assay.js");
  const args = [command, "serve", "--data", join(folder, "data"), "--port", "0", "--metrics"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  try {
    let said = "";
    for await (const piece of child.stdout) {
      said += piece;
      const [, address] = /answers at (http:\S+)/.exec(said) ?? [];
      if (address !== undefined) return await ask(address);
    }
    throw new Error(`the server ended with: ${said}`);
  } finally {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}
