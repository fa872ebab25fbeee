// A Python with what the peft worker needs, and with Ray where that can be had; PEFT_PYTHON can name one that has it
// already, which saves a download of gigabytes.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Python, pythonWith } from "@assay/testing/python";

const run = promisify(execFile);

/** The folder of the worker. */
export const WORKER = fileURLToPath(new URL("../../workers/peft", import.meta.url));
/** The Ray that jobs are submitted to. */
const RAY = "ray[default]==2.59.0";
/** What torch with CUDA, as the package registry has it, takes on disk while it is installed. */
const ROOM = 12e9;

/** A Python with torch, transformers and peft, or why there is none. Its folder's path is short: Ray makes sockets there. */
export interface PeftPython extends Python {
  /** Why Ray is not there, if it is not. */
  readonly rayReason: string | undefined;
}

/** Finds or makes a Python for the worker. */
export async function peftPython(): Promise<PeftPython> {
  const packages = ["-r", join(WORKER, "requirements.txt")];
  const found = await pythonWith({ packages, room: ROOM, variable: "PEFT_PYTHON" });
  const { python } = found;
  if (python === undefined) return { ...found, rayReason: found.reason };
  const has = (module: string) =>
    run(python, [
      "-c",
      `import importlib.util, sys; sys.exit(importlib.util.find_spec("${module}") is None)`,
    ]).then(
      () => true,
      () => false,
    );
  if (!(await has("peft"))) {
    const reason = "PEFT_PYTHON is not a Python that has peft";
    return { ...found, python: undefined, reason, rayReason: reason };
  }
  // Ray is a wish of its own: without it, the rest still runs.
  const given = process.env["PEFT_PYTHON"] !== undefined;
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", RAY];
  if (!given) await run(python, install).catch(() => {});
  return { ...found, rayReason: (await has("ray")) ? undefined : `pip cannot install ${RAY} here` };
}
