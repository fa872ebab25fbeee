// A Python with the dependencies of the peft worker, and with Ray if possible; PEFT_PYTHON can name one that has them,
// which saves a download of gigabytes.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Python, pythonWith } from "@assay/testing/python";

const run = promisify(execFile);

/** The folder of the worker. */
export const WORKER = fileURLToPath(new URL("../../workers/peft", import.meta.url));
/** The version of Ray that runs submitted jobs. */
const RAY = "ray[default]==2.59.0";
/** The disk space in bytes for installing torch with CUDA from the package registry. */
const ROOM = 12e9;

/**
 * A Python with torch, transformers and peft, or the reason why there is none. Its folder has a short path, because Ray
 * creates sockets in it.
 */
export interface PeftPython extends Python {
  /** The reason why Ray is missing, if it is. */
  readonly rayReason: string | undefined;
}

/** Finds or creates a Python for the worker. */
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
    const reason = "PEFT_PYTHON names a Python without peft";
    return { ...found, python: undefined, reason, rayReason: reason };
  }
  // Ray is optional: the other tests run without it.
  const given = process.env["PEFT_PYTHON"] !== undefined;
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", RAY];
  if (!given) await run(python, install).catch(() => {});
  return { ...found, rayReason: (await has("ray")) ? undefined : `pip cannot install ${RAY}` };
}
