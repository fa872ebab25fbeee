// Installs and builds what is missing; needs only Node and npm. Returns quickly if everything is up to date. With
// `--light` it installs only the dependencies of the command: no compiler, no linters, no databases for tests.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const light = process.argv.includes("--light");
const stampFile = join(root, "node_modules", ".assay-setup.json");

/** A fingerprint of what the installation depends on: the contents of the manifests and the lockfile. */
function manifests() {
  const hash = createHash("sha256").update(process.version);
  const files = [
    "package.json",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "test/package.json",
    "testing/package.json",
    "site/package.json",
  ];
  for (const folder of readdirSync(join(root, "packages")))
    files.push(join("packages", folder, "package.json"));
  for (const file of files) {
    const path = join(root, file);
    if (existsSync(path)) hash.update(file).update(readFileSync(path));
  }
  return hash.digest("hex");
}

/** A fingerprint of what the build depends on: the names, sizes and modification times of the sources. */
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
  for (const script of ["scripts/bundle.mjs", "scripts/libraries.mjs", "packages/web/build.mjs"])
    hash.update(readFileSync(join(root, script)));
  return hash.digest("hex");
}

function run(what, command, args) {
  console.error(`assay: ${what}`);
  // On Windows, npx is a batch file and needs a shell.
  const shell = command === "npx" && process.platform === "win32";
  // A step that succeeds prints nothing; a step that fails prints all its output.
  const { status, error, stdout } = spawnSync(command, args, {
    cwd: root,
    shell,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", light ? "pipe" : 2, light ? "pipe" : 2],
  });
  if (error !== undefined || status !== 0) {
    if (stdout) console.error(stdout);
    console.error(
      `assay: ${what} failed${error === undefined ? "" : `: ${error.message}`}; see the output above`,
    );
    process.exit(status ?? 1);
  }
}

/** The program of TypeScript 7, once it is installed. */
function compiler() {
  return fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript-7/package.json")));
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
if (stamp.manifests !== wanted && !(light && stamp.light === wanted)) {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  run(light ? "installing what the command needs (once)" : "installing (once)", "npx", [
    "--yes",
    packageManager,
    "install",
    "--frozen-lockfile",
    "--reporter=append-only",
    // pnpm asks before it recreates node_modules, as it does when a full installation follows a light one.
    "--config.confirmModulesPurge=false",
    ...(light ? ["--prod"] : []),
  ]);
  if (light) stamp.light = wanted;
  else stamp.manifests = wanted;
  save();
}
const built = sources();
const isThere = (file) => existsSync(join(root, file));
if (stamp.bundle !== built || !isThere("packages/cli/bundle/assay.js")) {
  run("building the page and the command", process.execPath, [join(root, "scripts/bundle.mjs")]);
  stamp.bundle = built;
  save();
}
if (!light && (stamp.sources !== built || !isThere("packages/cli/dist/run.js"))) {
  run("building the packages", process.execPath, [compiler(), "-b"]);
  run("bundling the libraries", process.execPath, [join(root, "scripts/libraries.mjs")]);
  stamp.sources = built;
  save();
}
