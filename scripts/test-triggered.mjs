// The tests of .ci/run: what `npm test` runs, and all of the lanes that the change since the merge base triggers, in one run,
// so that no file runs twice. All lanes where no merge base is found. Says which lanes they are, and which file triggered each.
//   --since REV   the change since that commit
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { lanes, triggeredBy } from "../test/lanes.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({ options: { since: { type: "string" } } });

/** The lines that git prints; undefined where it fails, or is not there. */
function git(...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.split("\n").filter((line) => line !== "") : undefined;
}

/** Where this branch left the main one; undefined on the main one itself, and where there is none to compare with. */
function mergeBase() {
  const [head] = git("rev-parse", "HEAD") ?? [];
  const bases = ["origin/HEAD", "origin/main", "main"].map(
    (branch) => git("merge-base", "HEAD", branch)?.[0],
  );
  return bases.find((base) => base !== undefined && base !== head);
}

const base = values.since ?? mergeBase();
// Without renames: what a file was called triggers its lane too.
const committed = base === undefined ? undefined : git("diff", "--name-only", "--no-renames", base);
const added = git("ls-files", "--others", "--exclude-standard");
let asked = lanes.map(([lane]) => lane);
if (committed === undefined || added === undefined) {
  console.log(`lanes: all, as there is no ${values.since ?? "merge base with main"} to compare with`);
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
