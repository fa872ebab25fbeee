// Files written by real tools, of every format, through the built command: it imports the numbers that the tools
// report, and a repeated import changes nothing. The samples are next to the checkout, if available.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assay } from "@assay/testing/command";
import { describe, expect, onTestFinished, test } from "vitest";

const SAMPLES = join(import.meta.dirname, "../../../shared/data/formats");
const there = existsSync(join(SAMPLES, "manifest.json"));

interface Manifest {
  readonly files: readonly { readonly path: string; readonly runs: readonly { readonly trials: number }[] }[];
}

describe.runIf(there)("samples of the tools", () => {
  test("all samples in one import, repeated", async () => {
    const home = mkdtempSync(join(tmpdir(), "assay-import-samples-"));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const importing = () =>
      assay(["import", "me/samples", SAMPLES, "--data", join(home, "data")], { timeout: 120_000 });
    const first = await importing();
    // A SQLite database is named, and files of unknown format are counted.
    expect(first.exitCode).toBe(0);
    expect(first.stderr).toMatch(/cache\.sqlite: a SQLite database.*files? of unknown format skipped/s);
    const { files } = JSON.parse(readFileSync(join(SAMPLES, "manifest.json"), "utf8")) as Manifest;
    const trials = files.flatMap(({ runs }) => runs).reduce((sum, run) => sum + run.trials, 0);
    const [, found] = /imported \d+ evaluations with ([\d,]+) trials/.exec(first.stdout)!;
    expect(Number(found!.replace(",", ""))).toBeGreaterThan(trials);
    const second = await importing();
    expect(second.stdout).toContain("; 0 new or changed");
    expect(second.stderr).toBe(first.stderr);
  });
});
