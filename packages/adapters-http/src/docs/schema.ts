// A schema for people to read: its type in one line, and a table of its properties.

import type { Json } from "@assay/base";
import { html } from "hono/html";
import { at, entriesOf, listOf, textOf } from "./document.ts";

/** Markup with escaped texts. */
export type Html = ReturnType<typeof html>;

/** A text with its `code` marked up. */
export function words(text: string): Html {
  const parts = text.replaceAll(/\s+/g, " ").split("`");
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** The type of a schema in one line. Named schemas are links. */
export function typeOf(schema: Json | undefined): Html {
  const name = textOf(at(schema, "$ref")).replace("#/components/schemas/", "");
  if (name !== "") return html`<a href="#schema-${name}">${name}</a>`;
  const alternatives = [...listOf(at(schema, "anyOf")), ...listOf(at(schema, "oneOf"))];
  if (alternatives.length > 0) return joined(alternatives.map(typeOf));
  const constant = at(schema, "const");
  if (constant !== undefined) return html`<code>${JSON.stringify(constant)}</code>`;
  const choices = listOf(at(schema, "enum"));
  if (choices.length > 0) return joined(choices.map((one) => html`<code>${JSON.stringify(one)}</code>`));
  const type = at(schema, "type");
  const types = typeof type === "string" ? [type] : listOf(type).map((one) => textOf(one));
  const items = at(schema, "items");
  return joined(
    types.map((one) => (one === "array" && items !== undefined ? html`list of ${typeOf(items)}` : one)),
  );
}

function joined(parts: readonly (Html | string)[]): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html` or ${part}`))}`;
}

const BOUNDS: readonly (readonly [keyword: string, said: string])[] = [
  ["minimum", "≥"],
  ["exclusiveMinimum", ">"],
  ["maximum", "≤"],
  ["exclusiveMaximum", "<"],
  ["minLength", "characters ≥"],
  ["maxLength", "characters ≤"],
  ["minItems", "items ≥"],
  ["maxItems", "items ≤"],
  ["pattern", "matches"],
  ["default", "default"],
];

/** The constraints of a schema's values, and its default. */
function boundsOf(schema: Json | undefined): Html {
  const bounds = BOUNDS.flatMap(([keyword, word]) => {
    const value = at(schema, keyword);
    return value === undefined
      ? []
      : [
          html`${word} <code>${typeof value === "string" && keyword === "pattern" ? value : JSON.stringify(value)}</code> `,
        ];
  });
  return html`${bounds}`;
}

/** One line of a table: a property or a parameter. */
export interface Row {
  readonly name: string;
  readonly needed: boolean;
  readonly schema: Json | undefined;
  readonly description: string;
}

/** The properties of a schema. Those of inline objects and lists follow, as `a.b` and `a[].b`. */
export function propertiesOf(schema: Json | undefined, before = ""): readonly Row[] {
  const needed = new Set(listOf(at(schema, "required")));
  const own = entriesOf(at(schema, "properties")).flatMap(([name, of]) => [
    { name: before + name, needed: needed.has(name), schema: of, description: textOf(at(of, "description")) },
    ...propertiesOf(of, `${before}${name}.`),
    ...propertiesOf(at(of, "items"), `${before}${name}[].`),
  ]);
  const alternatives = [...listOf(at(schema, "anyOf")), ...listOf(at(schema, "oneOf"))];
  return [...own, ...alternatives.flatMap((one) => propertiesOf(one, before))];
}

/** A table of them; empty without any. */
export function table(rows: readonly Row[]): Html | "" {
  if (rows.length === 0) return "";
  return html`<table><thead><tr><th>Name</th><th>Type</th><th>What it is</th></tr></thead><tbody>${rows.map(
    ({ name, needed, schema, description }) =>
      html`<tr><td><code>${name}</code>${needed ? html` <small>needed</small>` : ""}</td><td>${typeOf(schema)}</td><td>${words(description)} <small>${boundsOf(schema)}</small></td></tr>`,
  )}</tbody></table>`;
}

/** Examples as JSON; empty without any. */
export function examples(values: readonly (Json | undefined)[]): Html | "" {
  const given = values.filter((value) => value !== undefined);
  if (given.length === 0) return "";
  return html`<details><summary>Example</summary>${given.map((value) => html`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`)}</details>`;
}
