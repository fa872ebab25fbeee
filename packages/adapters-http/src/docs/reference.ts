// The HTTP reference, generated from the OpenAPI document: a page without scripts, and a list for programs.

import type { Json } from "@assay/base";
import { html } from "hono/html";
import { at, entriesOf, listOf, type Operation, operationsOf, textOf } from "./document.ts";
import { examples, type Html, propertiesOf, table, typeOf, words } from "./schema.ts";

/** The path of its style sheet. */
const STYLE_PATH = "/docs.css";

/** The page. */
export async function referencePage(document: Json): Promise<string> {
  const title = textOf(at(document, "info", "title"));
  const groups = groupsOf(operationsOf(document));
  const schemas = entriesOf(at(document, "components", "schemas"));
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: HTTP reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<nav aria-label="Operations">${groups.map(
    ([tag, operations]) =>
      html`<details><summary>${tag}</summary><ul>${operations.map(
        ({ id, method, path }) => html`<li><a href="#${id}">${method} ${path}</a></li>`,
      )}</ul></details>`,
  )}<a href="#schemas">Schemas</a></nav>
<main>
<h1>${title}: HTTP reference</h1>
<p>${words(textOf(at(document, "info", "description")))} The same for programs: <a href="/openapi.json">openapi.json</a>.</p>
${groups.map(
  ([tag, operations]) => html`<h2 id="${anchorOf(tag)}"><a href="#${anchorOf(tag)}">${tag}</a></h2>
${operations.map(operation)}`,
)}
<h2 id="schemas"><a href="#schemas">Schemas</a></h2>
${schemas.map(([name, schema]) => schemaSection(name, schema))}
</main>
</body>
</html>
`;
  return page.toString();
}

/** The operations as a list for https://llmstxt.org: each links into the page. */
export function referenceList(document: Json): string {
  const groups = groupsOf(operationsOf(document));
  const lines = groups.flatMap(([tag, operations]) => [
    `\n## ${tag}\n`,
    ...operations.map(({ id, method, path, summary }) => `- [${method} ${path}](/docs#${id}): ${summary}`),
  ]);
  const info = at(document, "info");
  return `# ${textOf(at(info, "title"))}

> ${textOf(at(info, "description"))}

[/openapi.json](/openapi.json) describes the whole interface. For agents, \`assay mcp\` speaks the Model Context Protocol.
${lines.join("\n")}
`;
}

function groupsOf(operations: readonly Operation[]): readonly (readonly [string, readonly Operation[]])[] {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return tags.map((tag) => [tag, operations.filter((one) => one.tag === tag)] as const);
}

function operation({ id, method, path, summary, of }: Operation): Html {
  const parameters = listOf(at(of, "parameters")).map((one) => ({
    name: textOf(at(one, "name")),
    needed: at(one, "required") === true,
    schema: at(one, "schema"),
    description: `${textOf(at(one, "description"))} (${textOf(at(one, "in"))})`,
  }));
  return html`<h3 id="${id}"><a href="#${id}">${method} ${path}</a></h3>
<p>${words(summary)}</p>
<p>${words(textOf(at(of, "description")))}</p>
${table(parameters)}
${contents("Body", at(of, "requestBody", "content"))}
<table><thead><tr><th>Status</th><th>Answer</th><th>Body</th></tr></thead><tbody>${entriesOf(
    at(of, "responses"),
  ).map(
    ([status, answer]) =>
      html`<tr><td>${status}</td><td>${words(textOf(at(answer, "description")))}</td><td>${entriesOf(at(answer, "content")).map(([type, content]) => html`<code>${type}</code> ${typeOf(at(content, "schema"))} `)}</td></tr>`,
  )}</tbody></table>
${entriesOf(at(of, "responses")).map(([, answer]) => entriesOf(at(answer, "content")).map(([, content]) => examplesOf(content)))}`;
}

/** Each form of a body: its media type, its schema and its examples. */
function contents(label: string, content: Json | undefined): readonly Html[] {
  return entriesOf(content).map(
    ([type, of]) =>
      html`<p>${label}: <code>${type}</code> ${typeOf(at(of, "schema"))}</p>${table(propertiesOf(at(of, "schema")))}${examplesOf(of)}`,
  );
}

function examplesOf(content: Json): Html | "" {
  const named = entriesOf(at(content, "examples")).map(([, one]) => at(one, "value"));
  return examples([at(content, "example"), ...named]);
}

function schemaSection(name: string, schema: Json): Html {
  return html`<h3 id="schema-${name}"><a href="#schema-${name}">${name}</a></h3>
<p>${words(textOf(at(schema, "description")))} ${typeOf(schema)}</p>
${table(propertiesOf(schema))}
${examples(listOf(at(schema, "examples")))}
`;
}

const anchorOf = (tag: string): string => tag.toLowerCase().replaceAll(" ", "-");
