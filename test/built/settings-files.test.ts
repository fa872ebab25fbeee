// Files of settings that nobody should write: each is refused in a short sentence, whichever command reads it.

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
/** Nine of nine of nine: 3 GB of text, were it written out. */
const bomb = letters
  .map((letter, i) => `${letter}: &${letter} [${Array(9).fill(i === 0 ? "x" : `*${letters[i - 1]}`)}]`)
  .join("\n");

const TEXTS: readonly (readonly [string, string])[] = [
  ["an alias bomb", bomb],
  ["an alias of what contains it", "prices: &a { m: *a }\ntrainers: &b [*b]\nupstreams: &c [*c]"],
  ["an alias of nothing", "a: *b"],
  ["brackets in brackets", "[".repeat(20_000)],
  ["a key that is there twice", "data: a\ndata: b"],
  ["keys that nobody knows", Array.from({ length: 10_000 }, (_, i) => `k${i}: 1`).join("\n")],
  [
    "keys in a list that nobody knows",
    `upstreams: [{ ${Array.from({ length: 10_000 }, (_, i) => `k${i}: 1`)} }]`,
  ],
  ["prices that are none", `prices: { ${Array.from({ length: 10_000 }, (_, i) => `m${i}: 1`)} }`],
  ["a list", "[1]"],
  ["a number", "5"],
  ["bytes and sets", "data: !!binary aGk=\ntrainers: !!set { a, b }\nupstreams: !!omap [a: 1]"],
  ["keys that are lists", "? [a, b]\n: c"],
  ["more than settings can be", `data: ${"x".repeat(3 * 2 ** 20)}`],
  ["more than is read", "#".repeat(5 * 2 ** 20)],
];

const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ["settings", ["config", "--config", file]],
  ["what trains", ["serve", "--port", "0", "--data", join(folder, "data"), "--training", file]],
  ["engines", ["serve", "--port", "0", "--data", join(folder, "data"), "--upstreams", file]],
];

test.each(COMMANDS)(
  "a file of %s is refused with all of its faults at once",
  async (_, args) => {
    for (const [what, text] of TEXTS) {
      writeFileSync(file, text);
      const { exitCode, stderr } = await assay(args, { cwd: folder });
      expect([what, exitCode, stderr]).toEqual([what, 2, expect.stringContaining(`assay: ${file}: `)]);
      expect(stderr, what).not.toMatch(/a bug in assay|Maximum call stack|Warning/);
      // A hundred faults are more than anybody reads.
      expect(stderr.split(/[;\n]/).length, what).toBeLessThan(220);
    }
  },
  120_000,
);
