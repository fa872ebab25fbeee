// The regular expressions of packages take time in proportion to a text, whatever it contains: otherwise one request
// could block a server for minutes, and one file an import. Each is tried on long texts of the characters it mentions.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));

/** Expressions that take longer, with the reason why they see no such texts. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ["/\\/+$/", "the address of an engine, from the configuration"],
  ["/\\.?0+e/", "a number, printed"],
  ["/0+$/", "an amount of money, printed"],
  ["/\\B(?=(?:\\d{3})+$)/g", "a limit, printed"],
  ["/(\\d+(?:\\.\\d+)?) ?([a-z]+)/g", "a text that consists of such pairs, which is checked first"],
]);

const LENGTH = 4000;
/** A linear expression takes less than a tenth of a millisecond for such a text, a quadratic one more than ten. */
const SLOW_MS = 6;

interface Pattern {
  readonly file: string;
  readonly expression: RegExp;
}

/** The regular expressions in the sources of all packages that can repeat something. */
function patterns(): readonly Pattern[] {
  const found: Pattern[] = [];
  const folders = readdirSync(packages).map((name) => `${name}/src/`);
  const files = folders.flatMap((folder) =>
    readdirSync(packages + folder, { recursive: true, encoding: "utf8" }).map((file) => folder + file),
  );
  for (const file of files) {
    if (!/\.tsx?$/.test(file)) continue;
    const text = readFileSync(packages + file, "utf8");
    // Weights and examples, which take long to parse.
    if (text.length > 200_000) continue;
    const visit = (node: ts.Node): void => {
      const [, source, flags] =
        (ts.isRegularExpressionLiteral(node) && /^\/(.*)\/(\w*)$/s.exec(node.text)) || [];
      if (source !== undefined && /[+*}]/.test(source)) {
        const expression = new RegExp(source, flags);
        if (!SHORT.has(String(expression))) found.push({ file, expression });
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  }
  return found;
}

const EXAMPLES: Readonly<Record<string, string>> = { s: "\t", d: "0", w: "a", n: "\n", r: "\r", t: "\t" };

/** Long texts that may be slow to search: repetitions of what the expression mentions. */
function* hostileTexts({ source }: RegExp): Generator<string> {
  const plain = source.replace(
    /\\(?:p\{\w+\}|u[\da-f]{4}|(.))/gi,
    (_, mark: string = "a") => EXAMPLES[mark] ?? mark,
  );
  const letters = [...new Set(["\t", "0", "a", ...plain])].slice(0, 24);
  const words = (plain.match(/[\w:/."'=-]{2,}/g) ?? []).slice(0, 6);
  for (const end of ["", "\n\u0000"])
    for (const start of ["", ...words])
      for (const unit of [...letters, ...words]) yield start + repeated(unit) + end;
  for (const a of letters) for (const b of letters) if (a !== b) yield repeated(a + b);
}

function repeated(unit: string): string {
  return unit.repeat(Math.ceil(LENGTH / unit.length));
}

/** How often a slow search is repeated: on a busy machine, a fast one is interrupted now and then. */
const ATTEMPTS = 20;

/** The time of a search, in milliseconds: the least of several if it is slow. */
function searchTime(expression: RegExp, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ATTEMPTS && least > SLOW_MS; i++) {
    const begun = performance.now();
    text.search(expression);
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

test("no regular expression needs more than linear time", { timeout: 120_000 }, () => {
  const all = patterns();
  expect(all.length).toBeGreaterThan(200);
  const slow = all.flatMap(({ file, expression }) => {
    for (const text of hostileTexts(expression))
      if (searchTime(expression, text) > SLOW_MS)
        return [`${file} ${expression} ${JSON.stringify(text.slice(0, 30))}`];
    return [];
  });
  expect(slow).toEqual([]);
});
