// A Python with some packages, in a virtual environment that is thrown away; an environment variable can name one that
// has them already.

import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, statfs } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What is wanted. */
export interface PythonWish {
  /** For pip, each with its version. */
  readonly packages: readonly string[];
  /** The least Python 3 that they run with: 12 is 3.12. Default: whichever `python3` is. */
  readonly least?: number;
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
export async function pythonWith({ packages, least = 0, room = 0, variable }: PythonWish): Promise<Python> {
  const folder = await mkdtemp(join(tmpdir(), "assay-interop-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const without = (reason: string): Python => ({ folder, python: undefined, reason, remove });
  const given = process.env[variable];
  if (given !== undefined) return { folder, python: given, reason: "", remove };
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < room) return without(`the packages take ${room / 1e9} GB of disk, which are not free`);
  const found = await interpreter(least);
  if (found === undefined) return without(`there is no Python 3.${least} or newer`);
  try {
    await run(found, ["-m", "venv", join(folder, "venv")]);
  } catch {
    return without(`${found} cannot make a virtual environment`);
  }
  const python = join(folder, "venv", "bin", "python");
  try {
    await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages]);
  } catch {
    return without(`pip cannot install ${packages.join(" ")} here`);
  }
  return { folder, python, reason: "", remove };
}

/** Versions of Python 3 that are looked for by name, the newest first. */
const NEWEST = 15;

/** A Python that is no older: `python3`, one that the path has under its version, or one of pyenv. */
async function interpreter(least: number): Promise<string | undefined> {
  const named = Array.from({ length: NEWEST - least + 1 }, (_, i) => `python3.${NEWEST - i}`);
  const versions = join(process.env["PYENV_ROOT"] ?? join(homedir(), ".pyenv"), "versions");
  const kept = await readdir(versions).catch(() => []);
  for (const python of ["python3", ...named, ...kept.map((one) => join(versions, one, "bin", "python3"))])
    if ((await minorOf(python)) >= least) return python;
  return undefined;
}

async function minorOf(python: string): Promise<number> {
  try {
    const { stdout } = await run(python, ["-c", "import sys; print(sys.version_info.minor)"]);
    return Number(stdout);
  } catch {
    return -1;
  }
}
