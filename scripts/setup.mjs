// Installs and builds what is missing, with nothing but Node and npm. Does nothing, fast, when all is up to date.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, "node_modules", ".assay-setup.json");

/** Fingerprint of what the install depends on: manifests and the lockfile, by content. */
function manifests() {
  const hash = createHash("sha256").update(process.version);
  const files = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "test/package.json"];
  for (const folder of readdirSync(join(root, "packages")))
    files.push(join("packages", folder, "package.json"));
  for (const file of files) {
    const path = join(root, file);
    if (existsSync(path)) hash.update(file).update(readFileSync(path));
  }
  return hash.digest("hex");
}

/** Fingerprint of what the build depends on: sources, by name, size and time of change. */
function sources() {
  const hash = createHash("sha256");
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else {
        const { size, mtimeMs } = statSync(path);
        hash.update(`${path}\0${size}\0${mtimeMs}\n`);
      }
    }
  };
  for (const folder of readdirSync(join(root, "packages"))) {
    const src = join(root, "packages", folder, "src");
    if (existsSync(src)) walk(src);
  }
  const page = join(root, "packages/web/build.mjs");
  if (existsSync(page)) hash.update(readFileSync(page));
  for (const built of ["packages/cli/dist/assay.js", "packages/web/dist/files/index.html"])
    hash.update(String(existsSync(join(root, built))));
  return hash.digest("hex");
}

function run(what, command, args) {
  console.error(`assay: ${what}`);
  // On Windows npx is a batch file, which only a shell can start.
  const shell = command === "npx" && process.platform === "win32";
  const { status, error } = spawnSync(command, args, { cwd: root, shell, stdio: ["ignore", 2, 2] });
  if (error !== undefined || status !== 0) {
    console.error(
      `assay: ${what} failed${error === undefined ? "" : `: ${error.message}`}; the output above says why`,
    );
    process.exit(status ?? 1);
  }
}

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`assay: Node.js ${process.versions.node} is too old; 20.19 or newer is needed`);
  process.exit(1);
}

const stamp = existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, "utf8")) : {};
const save = () => {
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, JSON.stringify(stamp));
};

const wanted = manifests();
if (stamp.manifests !== wanted) {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  run("installing (once)", "npx", [
    "--yes",
    packageManager,
    "install",
    "--frozen-lockfile",
    "--reporter=append-only",
  ]);
  stamp.manifests = wanted;
  save();
}
if (stamp.sources !== sources()) {
  run("building", process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b"]);
  run("building the page", process.execPath, [join(root, "packages/web/build.mjs")]);
  stamp.sources = sources();
  save();
}
