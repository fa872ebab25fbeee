// A Python with some packages, in a virtual environment that is thrown away; an environment variable can name one that
// has them already.

import { execFile } from "node:child_process";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What is wanted. */
export interface PythonWish {
  /** For pip, each with its version. */
  readonly packages: readonly string[];
  /** Bytes of disk that they take while they are installed, where that is much. */
  readonly room?: number;
  /** The environment variable that can name a Python. */
  readonly variable: string;
}

/** A Python, or why there is none. */
export interface Python {
  /** A folder of this run, gone after `remove`. */
  readonly folder: string;
  readonly python: string | undefined;
  readonly reason: string;
  remove(): Promise<void>;
}

/** Finds or makes it. */
export async function pythonWith({ packages, room = 0, variable }: PythonWish): Promise<Python> {
  const folder = await mkdtemp(join(tmpdir(), "assay-interop-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const without = (reason: string): Python => ({ folder, python: undefined, reason, remove });
  const given = process.env[variable];
  if (given !== undefined) return { folder, python: given, reason: "", remove };
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < room) return without(`the packages take ${room / 1e9} GB of disk, which are not free`);
  try {
    await run("python3", ["-m", "venv", join(folder, "venv")]);
  } catch {
    return without("there is no python3 that can make a virtual environment");
  }
  const python = join(folder, "venv", "bin", "python");
  try {
    await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages]);
  } catch {
    return without(`pip cannot install ${packages.join(" ")} here`);
  }
  return { folder, python, reason: "", remove };
}
