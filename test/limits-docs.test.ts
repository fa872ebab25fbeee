// Checks docs/reference/limits.md against the code: each limit has the value of the constant that the page names.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const page = read("docs/reference/limits.md");

const UNITS: Readonly<Record<string, number>> = { s: 1000, KiB: 2 ** 10, MiB: 2 ** 20 };

const rows = [...page.matchAll(/^\| (.*?) +\| +([\d,]+)(?: (\w+))? +\| +`([\w/-]+): ([\w.]+)` *\|$/gm)];

/** The value of a constant in a file; with a dot, of a member of an object. */
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
  // The pattern must match every row, or a limit would go unchecked.
  expect(rows).toHaveLength([...page.matchAll(/^\|.*: [\w.]+` *\|$/gm)].length);
  expect(rows.length).toBeGreaterThan(40);
  const documented = rows.map(([, what, number, unit, file, name]) => ({
    ...{ what, file, name },
    limit: Number(number!.replaceAll(",", "")) * (unit === undefined ? 1 : UNITS[unit]!),
  }));
  expect(documented).toEqual(documented.map((row) => ({ ...row, limit: numberIn(row.file!, row.name!) })));
});
