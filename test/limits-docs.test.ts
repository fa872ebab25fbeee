// docs/reference/limits.md: each limit is the number that the code has, where the page says that it has it.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const page = read("docs/reference/limits.md");

const UNITS: Readonly<Record<string, number>> = { s: 1000, KiB: 2 ** 10, MiB: 2 ** 20 };

const rows = [...page.matchAll(/^\| (.*?) +\| +([\d,]+)(?: (\w+))? +\| +`([\w/-]+): ([\w.]+)` *\|$/gm)];

/** The number that has this name in a file; of an object, its member after the dot. */
function numberIn(file: string, name: string): unknown {
  const [of, member] = name.split(".");
  const code = read(`packages/${file.replace("/", "/src/")}.ts`);
  const [, value] =
    new RegExp(`\\b${of} ?[:=] (\\{[^}]*\\}|(?:options\\.\\w+ \\?\\? )?[\\w* ]*\\d[\\w* ]*)`).exec(code) ??
    [];
  expect([file, name, value]).toEqual([file, name, expect.any(String)]);
  const found: unknown = new Function(
    `const MIB = 2 ** 20; const options = {}; const LIMITS = {}; return (${value});`,
  )();
  return member === undefined ? found : (found as Readonly<Record<string, unknown>>)[member];
}

test("every documented limit matches the code", () => {
  // A row that the pattern does not read would not be held to anything.
  expect(rows).toHaveLength([...page.matchAll(/^\|.*: [\w.]+` *\|$/gm)].length);
  expect(rows.length).toBeGreaterThan(40);
  const said = rows.map(([, what, number, unit, file, name]) => ({
    ...{ what, file, name },
    limit: Number(number!.replaceAll(",", "")) * (unit === undefined ? 1 : UNITS[unit]!),
  }));
  expect(said).toEqual(said.map((row) => ({ ...row, limit: numberIn(row.file!, row.name!) })));
});
