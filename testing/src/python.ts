// Provides a Python with given packages in a temporary virtual environment. An environment variable can name an
// existing Python that has them.

import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, statfs } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The requirements. */
export interface PythonWish {
  /** Requirements for pip, with versions. */
  readonly packages: readonly string[];
  /** The minimum minor version of Python 3: 12 means 3.12. By default any `python3` will do. */
  readonly least?: number;
  /** The disk space in bytes that the packages need, if it is large. */
  readonly room?: number;
  /** The environment variable that can name a Python. */
  readonly variable: string;
}

/** A Python, or the reason why there is none. */
export interface Python {
  /** A temporary folder, which `remove` deletes. */
  readonly folder: string;
  readonly python: string | undefined;
  readonly reason: string;
  remove(): Promise<void>;
}

/** Finds or creates it. */
export async function pythonWith({ packages, least = 0, room = 0, variable }: PythonWish): Promise<Python> {
  const folder = await mkdtemp(join(tmpdir(), "assay-interop-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const without = (reason: string): Python => ({ folder, python: undefined, reason, remove });
  const given = process.env[variable];
  if (given !== undefined) return { folder, python: given, reason: "", remove };
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < room) return without(`the packages need ${room / 1e9} GB of free disk space`);
  const found = await interpreter(least);
  if (found === undefined) return without(`Python 3.${least} or newer is not installed`);
  try {
    await run(found, ["-m", "venv", join(folder, "venv")]);
  } catch {
    return without(`${found} cannot create a virtual environment`);
  }
  const python = join(folder, "venv", "bin", "python");
  try {
    await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages]);
  } catch {
    return without(`pip cannot install ${packages.join(" ")}`);
  }
  return { folder, python, reason: "", remove };
}

/** The newest minor version of Python 3 to look for. */
const NEWEST = 15;

/** A Python of at least this minor version: `python3`, a versioned name on the PATH, or a version of pyenv. */
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
