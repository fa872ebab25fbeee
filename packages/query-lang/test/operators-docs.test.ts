// docs/reference/operators.md lists every operator with its description, and every example, as JSON and as text, has
// the documented value.

import { readFileSync } from "node:fs";
import type { Json } from "@assay/base";
import { expect, test } from "vitest";
import { getPath, interpretQuery, printExpression, readExpression, readQuery } from "../src/index.ts";
import { CONDITIONS, VALUES } from "../src/parse/operators.ts";

const file = new URL("../../../docs/reference/operators.md", import.meta.url);
const page = readFileSync(file, "utf8");
const block = (name: string) =>
  JSON.parse(new RegExp(`^\`\`\`json ${name}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page)![1]!) as Json;
const trial = block("trial");

/** The examples: operator (empty if as in the row above), JSON, text, value. */
const rows = [
  ...page.matchAll(/^\| (?:`(\$\w+)`)? *\| ([^|]*?) *\| `(\{.*?\})` *\| (`.*?`) *\| `(.*?)` *\|$/gm),
];

function exampleOf(json: string): { readonly text: string; readonly value: string } {
  const operation = JSON.parse(json) as object;
  const isValue = VALUES.some(({ key }) => key in operation);
  // Only a condition can be a whole filter.
  const expression = isValue ? { $and: [operation] } : operation;
  const read = readQuery({ $expr: expression }, { at: [], field: () => undefined });
  if (!read.ok) throw new Error(`${json}: ${JSON.stringify(read.issues)}`);
  const expr = isValue && read.value.kind === "and" ? read.value.operands[0]! : read.value;
  const value = JSON.stringify(interpretQuery(expr, (path) => getPath(trial, path)));
  return { text: printExpression(expr), value };
}

test("every operator is documented, in the words of the OpenAPI document", () => {
  const said = rows.filter(([, key]) => key !== undefined).map(([, key, about]) => [key, about]);
  expect(said).toEqual([...CONDITIONS, ...VALUES].map(({ key, about }) => [key, about]));
});

test("every example matches its text form and its value", () => {
  const of = rows.map(([, , , json, text, value]) => ({ json: json!, text: text!.slice(1, -1), value }));
  expect(
    of.map(({ json, text, value }) => ({ json, text, value: value === "unknown" ? "null" : value })),
  ).toEqual(of.map(({ json }) => ({ json, ...exampleOf(json) })));
  for (const { text } of of) expect([text, readExpression(text, {}).ok]).toEqual([text, true]);
});

test("the filters of the body are valid", () => {
  const { filters } = block("body") as unknown as { filters: readonly { readonly query: Json }[] };
  const read = filters.map(({ query }) => readQuery(query, { at: [], field: () => undefined }).ok);
  expect(read).toEqual([true, true]);
});
