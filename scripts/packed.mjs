// Packs every package as it would be published, installs the tarballs into an empty folder, and uses them there from
// plain Node: every entry point is imported, and the engine is asked a query. Needs a build and a package registry.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
const { packageManager } = readJson(join(root, "package.json"));

const run = (command, args, cwd) =>
  execFileSync(command, args, {
    cwd,
    // On Windows all commands but node itself are batch files, which only a shell can start.
    shell: command !== process.execPath && process.platform === "win32",
    encoding: "utf8",
    stdio: ["ignore", "pipe", 2],
  });

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

const folder = mkdtempSync(join(tmpdir(), "assay-packed-"));
try {
  const tarballs = join(folder, "tarballs");
  mkdirSync(tarballs);
  const packages = readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name))
    .map((dir) => ({ dir, manifest: readJson(join(dir, "package.json")) }));

  const dependencies = {};
  for (const { dir, manifest } of packages) {
    // pnpm writes the versions of our own packages in place of `workspace:`, as it does when it publishes.
    const packed = run(
      "npx",
      ["--yes", packageManager, "pack", "--json", "--pack-destination", tarballs],
      dir,
    );
    dependencies[manifest.name] = `file:${JSON.parse(packed).filename}`;
  }

  const user = join(folder, "user");
  mkdirSync(user);
  const manifest = { name: "user", version: "1.0.0", private: true, type: "module", dependencies };
  writeFileSync(join(user, "package.json"), JSON.stringify(manifest));
  run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"], user);

  for (const { manifest } of packages) {
    for (const entry of Object.keys(manifest.exports ?? {})) {
      // A style sheet is for bundlers.
      if (entry.endsWith(".css")) continue;
      const name = entry === "." ? manifest.name : `${manifest.name}${entry.slice(1)}`;
      const count = `import(${JSON.stringify(name)}).then((names) => console.log(Object.keys(names).length))`;
      const names = Number(run(process.execPath, ["--input-type=module", "--eval", count], user));
      if (!(names > 0)) throw new Error(`${name} exports nothing`);
      console.log(`ok   ${name}: ${names} names`);
    }
    for (const command of Object.keys(manifest.bin ?? {})) {
      run(join(user, "node_modules/.bin", command), ["--help"], user);
      console.log(`ok   ${command} --help`);
    }
  }
  writeFileSync(join(user, "ask.js"), ASK);
  run(process.execPath, ["ask.js"], user);
  console.log("ok   @assay/eval-engine answers a query");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
