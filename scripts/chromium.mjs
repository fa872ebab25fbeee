// Finds a Chromium for the browser tests. `node scripts/chromium.mjs` prints its path; with `--install` it first tries
// to install Debian's package if there is none. Exits with 1 if no Chromium is found.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** The path of Chromium: `ASSAY_CHROMIUM`, or the first on the PATH; undefined if there is none. */
export function findChromium() {
  const named = process.env["ASSAY_CHROMIUM"];
  if (named) return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Installs Debian's `chromium`, as root or with sudo if it needs no password. Returns whether it succeeded. */
function install() {
  const root = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const apt = (...args) => {
    const [command, ...rest] = [...root, "apt-get", "-q", "-y", ...args];
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    return spawnSync(command, rest, { stdio: ["ignore", 2, 2], env }).status === 0;
  };
  const add = () => apt("install", "--no-install-recommends", "chromium");
  // The package lists may be missing or out of date.
  return add() || (apt("update") && add());
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (findChromium() === undefined && process.argv.includes("--install")) install();
  const found = findChromium();
  console.log(found ?? "no Chromium found");
  process.exitCode = found === undefined ? 1 : 0;
}
