// The command's manual page: it contains every command and option of the help, and man renders it without warnings.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "assay-man-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "assay.1");
execFileSync(process.execPath, [join(root, "scripts/man.mjs"), file]);
const page = readFileSync(file, "utf8");
const plain = page.replaceAll("\\-", "-");

const helpOf = (...command: string[]): string =>
  execFileSync(process.execPath, [join(root, "packages/cli/bundle/assay.js"), ...command, "--help"], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "" },
  });

test("it contains every command of the help, and every option of three commands", () => {
  const commands = /\nEvaluations:\n([\s\S]*?)\n\nExit codes:/.exec(helpOf())![1]!;
  const names = [...commands.matchAll(/^ {2}([a-z]+) (?:\[options\]|<|\[command\])/gm)].map(
    ([, name]) => name!,
  );
  expect(names.length).toBeGreaterThan(15);
  expect(
    names.filter((name) => !["help", "complete"].includes(name) && !plain.includes(`.SS "assay ${name} `)),
  ).toEqual([]);
  for (const command of ["compare", "serve", "export"]) {
    const options = [...helpOf(command).matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(
      ([, option]) => option!,
    );
    const section = plain.slice(plain.indexOf(`.SS "assay ${command} `)).split("\n.SS ")[0] ?? "";
    expect(options.length).toBeGreaterThan(3);
    expect(options.filter((option) => !section.includes(option))).toEqual([]);
  }
});

test("it has the standard sections in order", () => {
  expect([...page.matchAll(/^\.SH (.*)$/gm)].map(([, name]) => name)).toEqual([
    ...["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "NOTES"],
  ]);
  expect(page.match(/^\.(?!TH|SH|SS|TP|PP|B|nf|fi|ad).*$/gm)).toBeNull();
});

test.skipIf(spawnSync("man", ["--version"]).status !== 0)("man renders it without warnings", () => {
  const shown = spawnSync("man", ["--warnings", "-E", "UTF-8", "-l", file], {
    encoding: "utf8",
    env: { ...process.env, MANPAGER: "cat", MANWIDTH: "100" },
  });
  expect(shown.stderr).toBe("");
  expect(shown.stdout).toMatch(/compare \[options\] <project or file>/);
  expect(shown.stdout).toContain("EXIT STATUS");
});
