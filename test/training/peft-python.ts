// A Python with what the peft worker needs, in a folder that is thrown away; PEFT_PYTHON can name one that has it
// already, which saves a download of gigabytes.

import { execFile } from "node:child_process";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The folder of the worker. */
export const WORKER = fileURLToPath(new URL("../../workers/peft", import.meta.url));
/** The Ray that jobs are submitted to. */
const RAY = "ray[default]==2.59.0";
/** What torch with CUDA, as the package registry has it, takes on disk while it is installed. */
const ROOM = 12e9;

/** A Python, or why there is none. */
export interface PeftPython {
  /** A folder of this run, gone after `remove`. Its path is short: Ray makes sockets below it. */
  readonly folder: string;
  /** The Python that has torch, transformers and peft. */
  readonly python: string | undefined;
  /** Why it is not there. */
  readonly reason: string;
  /** Why Ray is not there, if it is not. */
  readonly rayReason: string | undefined;
  /** Removes the folder. */
  remove(): Promise<void>;
}

/** Finds or makes a Python for the worker. */
export async function peftPython(): Promise<PeftPython> {
  const folder = await mkdtemp(join(tmpdir(), "assay-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const without = (reason: string): PeftPython => ({
    folder,
    python: undefined,
    reason,
    rayReason: reason,
    remove,
  });
  const given = process.env["PEFT_PYTHON"];
  const python = given ?? join(folder, "venv", "bin", "python");
  const has = (module: string) =>
    run(python, [
      "-c",
      `import importlib.util, sys; sys.exit(importlib.util.find_spec("${module}") is None)`,
    ]);
  if (given === undefined) {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < ROOM)
      return without("torch and what it needs take 12 GB of disk, which are not free");
    try {
      await run("python3", ["-m", "venv", join(folder, "venv")]);
    } catch {
      return without("there is no python3 that can make a virtual environment");
    }
    const install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"] as const;
    try {
      await run(install[0], [...install.slice(1), "-r", join(WORKER, "requirements.txt")]);
    } catch {
      return without("pip cannot install workers/peft/requirements.txt here");
    }
    // Ray is a wish of its own: without it, the rest still runs.
    await run(install[0], [...install.slice(1), RAY]).catch(() => {});
  } else if ((await has("peft").catch(() => undefined)) === undefined) {
    return without("PEFT_PYTHON is not a Python that has peft");
  }
  const ray = await has("ray").catch(() => undefined);
  const rayReason = ray === undefined ? `pip cannot install ${RAY} here` : undefined;
  return { folder, python, reason: "", rayReason, remove };
}
