// Test cases as data, which any other implementation can run.

import { readFileSync } from "node:fs";
import type { Json } from "@assay/base";
import { describe, expect, test } from "vitest";
import { getPath, testQuery as holds, readQuery } from "../src/index.ts";

// Parsed as JSON, because a module would interpret a `__proto__` key.
const cases = (file: string): [string, Json[][]][] =>
  Object.entries(JSON.parse(readFileSync(new URL(`./conformance/${file}.json`, import.meta.url), "utf8")));

const read = (query: unknown) =>
  readQuery(query, {
    at: ["query"],
    field: ([head]) => (head === "secret" ? "this field may not be read" : undefined),
  });

describe("an expression, a document, and whether it holds", () => {
  for (const [name, rows] of ["fields", "comparing", "in", "contains", "logic", "convert"].flatMap(cases)) {
    test(name, () => {
      for (const [expression, document, answer] of rows) {
        const expr = read({ $expr: expression });
        if (!expr.ok) throw new Error(`${JSON.stringify(expression)}: ${JSON.stringify(expr.issues)}`);
        const given = holds(expr.value, (path) => getPath(document, path));
        expect({ expression, document, holds: given }).toEqual({ expression, document, holds: answer });
      }
    });
  }
});

describe("a query, and where it is wrong", () => {
  for (const [name, rows] of cases("refused")) {
    test(name, () => {
      for (const [query, wanted] of rows as [unknown, [string, ...(string | number)[]][]][]) {
        const result = read(query);
        const issues = result.ok ? [] : result.issues;
        expect({ query, issues: issues.map(({ code, path }) => [code, ...path]) }).toEqual({
          query,
          issues: wanted.map(([code, ...path]) => [code, "query", ...path]),
        });
      }
    });
  }
});
