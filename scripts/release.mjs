// `npm run release -- --dry-run`: makes the tarballs to publish, in build/release, and prints their sizes. Without
// --dry-run it publishes, with provenance, those that the registry does not have yet. The packages of the workspace are
// libraries; the package `assay` is the bundled command, with dependencies for what it cannot bundle.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { manualPage } from "./man.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
const project = readJson(join(root, "package.json"));

/** The name under which the command is published. Libraries use the names in their manifests. */
const COMMAND_PACKAGE = "assay";

function run(command, args, cwd) {
  // On Windows, all commands except node itself are batch files and need a shell.
  const shell = command !== process.execPath && process.platform === "win32";
  return execFileSync(command, args, { cwd, shell, encoding: "utf8", stdio: ["ignore", "pipe", 2] });
}

/** The repository that the release workflow runs in: provenance must name the repository of the build. */
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: slug } = process.env;
const repository = slug === undefined ? undefined : `git+${server}/${slug}.git`;

/** The manifest to publish, with the fields that a registry shows. */
function published(manifest, directory) {
  const { devDependencies, private: _, scripts, ...rest } = manifest;
  return {
    ...rest,
    author: project.author,
    keywords: project.keywords,
    ...(repository !== undefined && { repository: { type: "git", url: repository, directory } }),
    publishConfig: { access: "public", provenance: true },
  };
}

/**
 * Packs all folders with one npm process, since npm takes longer to start than to pack. Returns the tarballs and their
 * sizes.
 */
function packed(folders, out) {
  const made = run(
    "npm",
    ["pack", "--json", "--loglevel=error", "--pack-destination", out, ...folders],
    root,
  );
  return JSON.parse(made).map(({ filename, name, version, size, unpackedSize }) => ({
    ...{ name, version, size, unpackedSize, path: join(out, filename) },
    isLibrary: name !== COMMAND_PACKAGE,
  }));
}

/** Stages a library: its files, and the licence. */
function library(folder, stage) {
  const manifest = readJson(join(folder, "package.json"));
  const to = join(stage, manifest.name);
  // npm selects what to publish by the manifest's `files`.
  cpSync(folder, to, {
    recursive: true,
    filter: (path) => !["node_modules", "test"].includes(basename(path)),
  });
  const directory = folder.slice(root.length + 1);
  writeManifest(to, published(manifest, directory));
  cpSync(join(root, "LICENSE"), join(to, "LICENSE"));
  return to;
}

/** Stages the command: the bundle, whose only dependency is DuckDB's bindings, and its manual page. */
async function command(stage) {
  const cli = join(root, "packages/cli");
  const manifest = readJson(join(cli, "package.json"));
  const to = join(stage, COMMAND_PACKAGE);
  cpSync(join(cli, "bundle"), to, { recursive: true });
  for (const file of ["LICENSE", "CHANGELOG.md"])
    if (existsSync(join(root, file))) cpSync(join(root, file), join(to, file));
  cpSync(join(cli, "README.md"), join(to, "README.md"));
  writeFileSync(join(to, "assay.1"), await manualPage());
  const { "@duckdb/node-bindings": bindings } = manifest.dependencies;
  const { dependencies, files, exports, bin, ...rest } = published(manifest, "packages/cli");
  writeManifest(to, {
    ...rest,
    name: COMMAND_PACKAGE,
    description: project.description,
    bin: { assay: "./assay.js" },
    man: ["./assay.1"],
    dependencies: { "@duckdb/node-bindings": bindings },
  });
  return to;
}

function writeManifest(folder, manifest) {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Makes all tarballs and returns a description of each. Needs a build. */
export async function makeTarballs() {
  const stage = join(root, "build/stage");
  const out = join(root, "build/release");
  for (const folder of [stage, out]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  const libraries = readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .filter((folder) => readJson(join(folder, "package.json")).private !== true);
  const staged = [...libraries.map((folder) => library(folder, stage)), await command(stage)];
  const made = packed(staged, out);
  rmSync(stage, { recursive: true, force: true });
  return made;
}

/** Whether the registry has this version already. */
function isPublished({ name, version }) {
  try {
    return (
      run("npm", ["view", `${name}@${version}`, "version", "--loglevel=silent"], root).trim() === version
    );
  } catch {
    return false;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
  for (const tarball of await makeTarballs()) {
    const { name, version, path, size, unpackedSize } = tarball;
    const kib = (bytes) => `${Math.ceil(bytes / 1024).toLocaleString("en")} KiB`;
    const what = `${name}@${version}  ${kib(size)}, unpacked ${kib(unpackedSize)}`;
    if (values["dry-run"]) console.log(`would publish  ${what}  ${path.slice(root.length + 1)}`);
    else if (isPublished(tarball)) console.log(`is published   ${what}`);
    else {
      run("npm", ["publish", path, "--provenance", "--access", "public"], root);
      console.log(`published      ${what}`);
    }
  }
}
