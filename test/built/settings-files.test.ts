// Invalid and hostile configuration files: each is refused with a short error message, whichever command reads it.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assay } from "@assay/testing/command";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "assay-settings-"));
const file = join(folder, "settings.yaml");
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const letters = [..."abcdefghi"];
/** Nine levels of nine references each: 3 GB of text if expanded. */
const bomb = letters
  .map((letter, i) => `${letter}: &${letter} [${Array(9).fill(i === 0 ? "x" : `*${letters[i - 1]}`)}]`)
  .join("\n");

const TEXTS: readonly (readonly [string, string])[] = [
  ["an alias bomb", bomb],
  ["an alias of its own container", "prices: &a { m: *a }\ntrainers: &b [*b]\nupstreams: &c [*c]"],
  ["an undefined alias", "a: *b"],
  ["brackets in brackets", "[".repeat(20_000)],
  ["a duplicate key", "data: a\ndata: b"],
  ["unknown keys", Array.from({ length: 10_000 }, (_, i) => `k${i}: 1`).join("\n")],
  ["unknown keys in a list", `upstreams: [{ ${Array.from({ length: 10_000 }, (_, i) => `k${i}: 1`)} }]`],
  ["invalid prices", `prices: { ${Array.from({ length: 10_000 }, (_, i) => `m${i}: 1`)} }`],
  ["a list", "[1]"],
  ["a number", "5"],
  ["bytes and sets", "data: !!binary aGk=\ntrainers: !!set { a, b }\nupstreams: !!omap [a: 1]"],
  ["keys that are lists", "? [a, b]\n: c"],
  ["more than the size limit", `data: ${"x".repeat(3 * 2 ** 20)}`],
  ["more than the read limit", "#".repeat(5 * 2 ** 20)],
];

const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ["settings", ["config", "--config", file]],
  ["trainers", ["serve", "--port", "0", "--data", join(folder, "data"), "--training", file]],
  ["engines", ["serve", "--port", "0", "--data", join(folder, "data"), "--upstreams", file]],
];

test.each(COMMANDS)(
  "a configuration file of %s is refused with all its issues",
  async (_, args) => {
    for (const [what, text] of TEXTS) {
      writeFileSync(file, text);
      const { exitCode, stderr } = await assay(args, { cwd: folder });
      expect([what, exitCode, stderr]).toEqual([what, 2, expect.stringContaining(`assay: ${file}: `)]);
      expect(stderr, what).not.toMatch(/a bug in assay|Maximum call stack|Warning/);
      // A hundred issues are more than anyone reads.
      expect(stderr.split(/[;\n]/).length, what).toBeLessThan(220);
    }
  },
  120_000,
);
