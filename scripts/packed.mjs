// Installs the tarballs to publish into an empty folder and uses them there: imports and requires every entry point,
// runs a query with the engine, and starts the demo of the command. Also runs the pipeline of `docs/how-to/ci-gate.md`.
// `--runtimes` repeats it on newer Node.js, Bun and Deno, from the package registry; `--shape` first checks the shape
// of the tarballs as `npm run shape` does. Needs a build and a package registry.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeTarballs } from "./release.mjs";
import { hasShape } from "./shape.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// A dependency of the tests, not of this package.
const { parse } = createRequire(join(root, "test/package.json"))("yaml");
const { values: options } = parseArgs({
  options: { runtimes: { type: "boolean", default: false }, shape: { type: "boolean", default: false } },
});

/** The maximum size of an installed command. */
const MOST_ON_DISK = 100 * 2 ** 20;

function run(command, args, cwd) {
  // On Windows, all commands except node itself are batch files and need a shell.
  const shell = command !== process.execPath && process.platform === "win32";
  return execFileSync(command, args, { cwd, shell, encoding: "utf8", stdio: ["ignore", "pipe", 2] });
}

function install(cwd, specs, flags = []) {
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  run("npm", ["install", ...quiet, ...flags, ...specs], cwd);
}

function sizeOf(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath ?? entry.path, entry.name)).size;
  return bytes;
}

const ASK = `
import assert from "node:assert/strict";
import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";

const engine = createEvalEngine({
  calls: memoryCalls([
    {
      id: "t1",
      parent_id: "e1",
      op_name: "Evaluation.predict_and_score",
      inputs: { example: "rows/attr/rows/id/r1" },
      output: { output: "4", scores: { exact: true } },
    },
  ]),
  rows: memoryRows([{ digest: "r1", val: { question: "2+2?" } }]),
});
const answer = await engine.query("acme/demo", {
  evaluation_call_ids: ["e1"],
  filters: [{ query: { $expr: { $eq: [{ $getField: "inputs.question" }, { $literal: "2+2?" }] } } }],
  include_summary: true,
});
assert.deepEqual(answer.rows.map((row) => [row.row_digest, row.evaluations[0].trials[0].model_output]), [["r1", "4"]]);
assert.equal(answer.summary.evaluations[0].scorer_stats[0].pass_rate, 1);
`;

/** The optional peer dependencies of entry points, such as fast-check for `@assay/eval-engine/testing`. */
function optionalPeers() {
  const manifests = readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name, "package.json"))
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, "utf8")));
  return Object.assign(
    {},
    ...manifests.map(({ peerDependencies = {}, peerDependenciesMeta = {} }) =>
      Object.fromEntries(
        Object.entries(peerDependencies).filter(([name]) => peerDependenciesMeta[name]?.optional),
      ),
    ),
  );
}

/**
 * Runtimes that run a script, each with its command line. Node.js, Bun and Deno come from the registry's package for
 * the platform.
 */
function runtimes(folder) {
  const found = [[`Node.js ${process.versions.node}`, [process.execPath]]];
  if (!options.runtimes) return found;
  const platform = `${process.platform}-${process.arch}`;
  for (const major of [22, 24]) {
    const at = join(folder, `node${major}`);
    mkdirSync(at);
    install(at, [`node-${platform}@${major}`]);
    found.push([`Node.js ${major}`, [join(at, `node_modules/node-${platform}/bin/node`)]]);
  }
  for (const [name, word] of [
    ["bun", "run"],
    ["deno", "run"],
  ]) {
    const at = join(folder, name);
    mkdirSync(at);
    install(at, [name]);
    const flags = name === "deno" ? ["--allow-all", "--node-modules-dir=manual"] : [];
    found.push([name, [join(at, "node_modules/.bin", name), word, ...flags]]);
  }
  return found;
}

/** Starts the demo as a user does after installing; resolves with the seconds until it responds. */
async function demo(command, cwd) {
  const started = performance.now();
  const child = spawn(command, ["demo", "--port", "0", "--data", join(cwd, "data")], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let text = "";
    for await (const piece of child.stdout) {
      text += piece;
      const [, address] = /answers at (http:\S+)/.exec(text) ?? [];
      if (address === undefined) continue;
      const seconds = (performance.now() - started) / 1000;
      if (!text.includes(" is better than ")) throw new Error(`the demo gives no verdict: ${text}`);
      const { status } = await fetch(`${address}/v1/health`);
      if (status !== 200) throw new Error(`the demo's health check has status ${status}`);
      return seconds;
    }
    throw new Error(`the demo exited with: ${text}`);
  } finally {
    child.kill();
  }
}

/** The JSON lines of an evaluation in which `right` of ten rows are correct. */
function callsOf(id, right, startedAt) {
  const op = (name) => `weave:///acme/demo/op/${name}:v1`;
  const started_at = new Date(startedAt).toISOString();
  const rows = Array.from({ length: 10 }, (_, row) => ({
    ...{ id: `${id}-${row}`, parent_id: id, op_name: op("Evaluation.predict_and_score"), started_at },
    inputs: { example: `weave:///acme/demo/object/rows:v1/attr/rows/id/r${row}` },
    output: { output: "4", scores: { correct: row < right } },
    ended_at: started_at,
  }));
  const root = { id, op_name: op("Evaluation.evaluate"), display_name: id, started_at, ended_at: started_at };
  return [root, ...rows].map((call) => `${JSON.stringify(call)}\n`).join("");
}

/**
 * Runs the steps of the workflow in docs/how-to/ci-gate.md as a CI runner does, with the package `assay` committed
 * where the document says. Returns the exit code of the comparison and the comment.
 */
function gate(cwd, tarball, baseline, candidate) {
  const text = readFileSync(join(root, "docs/how-to/ci-gate.md"), "utf8");
  const { steps } = parse(/```yaml\n([\s\S]*?)```/.exec(text)[1]).jobs.gate;
  const script = (name) => steps.find((step) => step.name === name).run;
  const rows = Array.from({ length: 10 }, (_, row) => JSON.stringify({ digest: `r${row}`, val: { q: row } }));
  writeFileSync(
    join(cwd, "evaluate.sh"),
    `#!/bin/sh
printf '%s' '${callsOf("main", baseline, 0)}' > "$1"
printf '%s' '${callsOf("branch", candidate, 1000)}' > "$2"
printf '%s\\n' '${rows.join("' '")}' > "$3"
`,
    { mode: 0o755 },
  );
  mkdirSync(join(cwd, "tools"));
  copyFileSync(tarball, join(cwd, "tools", basename(tarball)));
  const prefix = join(cwd, "global");
  const env = {
    ...process.env,
    ...{
      npm_config_prefer_offline: "true",
      npm_config_prefix: prefix,
      PATH: `${prefix}/bin:${process.env.PATH}`,
    },
  };
  const step = (name) =>
    spawnSync("bash", ["-e", "-o", "pipefail", "-c", script(name)], { cwd, env, encoding: "utf8" });
  for (const name of ["Install Assay", "Evaluate both versions"]) {
    const { status, stderr } = step(name);
    if (status !== 0) throw new Error(`the workflow's step "${name}" failed: ${stderr}`);
  }
  const { status, stderr, stdout } = step("Compare");
  const comment = join(cwd, "comment.md");
  if (!existsSync(comment)) throw new Error(`the workflow wrote no comment: ${stdout}${stderr}`);
  return { status, comment: readFileSync(comment, "utf8") };
}

const folder = mkdtempSync(join(tmpdir(), "assay-packed-"));
try {
  const tarballs = await makeTarballs();
  if (options.shape && !(await hasShape(tarballs))) throw new Error("a package has the wrong shape");
  const user = join(folder, "user");
  mkdirSync(user);
  const libraries = tarballs.filter(({ isLibrary }) => isLibrary);
  const dependencies = {
    ...Object.fromEntries(libraries.map(({ name, path }) => [name, `file:${path}`])),
    ...optionalPeers(),
  };
  writeFileSync(
    join(user, "package.json"),
    JSON.stringify({ name: "user", version: "1.0.0", private: true, type: "module", dependencies }),
  );
  install(user, []);
  const entries = libraries.flatMap(({ name }) => {
    const { exports } = JSON.parse(readFileSync(join(user, "node_modules", name, "package.json"), "utf8"));
    return Object.keys(exports)
      .filter((entry) => !/\.(?:css|json)$/.test(entry))
      .map((entry) => name + entry.slice(1));
  });
  const each = (words) => `for (const name of ${JSON.stringify(entries)}) {
  const names = Object.keys(${words});
  if (names.length === 0) throw new Error(name + " exports nothing");
}`;
  writeFileSync(join(user, "import.mjs"), each("await import(name)"));
  writeFileSync(join(user, "require.cjs"), each("require(name)"));
  writeFileSync(join(user, "ask.mjs"), ASK);
  for (const [name, [program, ...words]] of runtimes(folder)) {
    for (const script of ["import.mjs", "require.cjs", "ask.mjs"]) run(program, [...words, script], user);
    console.log(`ok   ${entries.length} entry points, imported and required, and a query, on ${name}`);
  }

  const [{ path }] = tarballs.filter(({ isLibrary }) => !isLibrary);
  const prefix = join(folder, "global");
  mkdirSync(prefix);
  install(prefix, [path], ["--global", `--prefix=${prefix}`]);
  const size = sizeOf(prefix);
  if (size > MOST_ON_DISK) throw new Error(`the installed command takes ${size} bytes`);
  // npm links manual pages to where man looks for them.
  if (process.platform !== "win32" && !existsSync(join(prefix, "share/man/man1/assay.1")))
    throw new Error("the command has no manual page");
  const command = join(prefix, process.platform === "win32" ? "assay.cmd" : "bin/assay");
  console.log(
    `ok   assay ${run(command, ["--version"], folder).trim()}, ${Math.ceil(size / 2 ** 20)} MiB installed`,
  );
  console.log(`ok   assay demo answers after ${(await demo(command, folder)).toFixed(1)} s`);

  // A Windows runner would need a separate shell for the steps.
  if (process.platform !== "win32") {
    for (const [baseline, candidate, wanted, word] of [
      [1, 10, 0, "better"],
      [10, 1, 1, "worse"],
    ]) {
      const pipeline = join(folder, `pipeline-${word}`);
      mkdirSync(pipeline);
      const { status, comment } = gate(pipeline, path, baseline, candidate);
      if (status !== wanted || !comment.includes(`branch is ${word} than main on correct`))
        throw new Error(`the gate of docs/how-to/ci-gate.md ended with ${status}: ${comment}`);
    }
    console.log("ok   the workflow of docs/how-to/ci-gate.md passes and fails as it should");
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
