// The tests of .ci/run: runs what `npm test` runs, plus all files of the lanes that the change since the merge base
// triggers, in one run so that no file runs twice. Without a merge base it runs all lanes. Prints the lanes, and the
// file that triggered each. `--since REV` uses the change since that commit.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { lanes, triggeredBy } from "../test/lanes.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({ options: { since: { type: "string" } } });

/** The lines that git prints; undefined if git fails or is missing. */
function git(...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.split("\n").filter((line) => line !== "") : undefined;
}

/**
 * The commit where this branch left the main branch; undefined on the main branch itself, and without a branch to
 * compare with.
 */
function mergeBase() {
  const [head] = git("rev-parse", "HEAD") ?? [];
  const bases = ["origin/HEAD", "origin/main", "main"].map(
    (branch) => git("merge-base", "HEAD", branch)?.[0],
  );
  return bases.find((base) => base !== undefined && base !== head);
}

const base = values.since ?? mergeBase();
// With renames turned off, the old name of a file triggers its lane too.
const committed = base === undefined ? undefined : git("diff", "--name-only", "--no-renames", base);
const added = git("ls-files", "--others", "--exclude-standard");
let asked = lanes.map(([lane]) => lane);
if (committed === undefined || added === undefined) {
  console.log(`lanes: all, because ${values.since ?? "a merge base with main"} does not exist`);
} else {
  const triggered = triggeredBy([...committed, ...added]);
  asked = [...triggered.keys()];
  console.log(
    `lanes that the change since ${base.slice(0, 10)} triggers: ${asked.length === 0 ? "none" : ""}`,
  );
  for (const [lane, path] of triggered) console.log(`  ${lane}, by ${path}`);
}
const { status } = spawnSync(
  process.execPath,
  [join(root, "node_modules/vitest/vitest.mjs"), "run", "--mode=brief"],
  { cwd: root, stdio: "inherit", env: { ...process.env, ASSAY_LANES: asked.join() } },
);
process.exitCode = status ?? 1;
