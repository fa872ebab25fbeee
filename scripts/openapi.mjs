// `npm run openapi`: reads the OpenAPI document that the built command serves, and fails unless a linter finds no error in
// it and every property and parameter is described. A name that several schemas have is described once, in
// packages/adapters-http/src/openapi/property-descriptions.ts; any other in its own schema. The types of the client must be those of the
// document. With `--output FILE` the document is written.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { CLIENT_FILE, clientFile } from "./client.mjs";
import { withServer } from "./served.mjs";

const { values: options } = parseArgs({ options: { output: { type: "string" } } });

const RULES = {
  // Two addresses of the hosted service, with the slash and without, are both answered.
  "no-path-trailing-slash": "off",
  // A valid health request never fails.
  "operation-4xx-response": "off",
  // What events of a stream carry is named by a description.
  "no-unused-components": "off",
};

/** Where a property or a parameter has no description, and how many there are. */
function silent(value, at = "") {
  if (typeof value !== "object" || value === null) return { count: 0, places: [] };
  const found = { count: 0, places: [] };
  const ask = (one, place) => {
    found.count++;
    if (!one.description) found.places.push(place);
  };
  if (typeof value.in === "string" && typeof value.name === "string")
    ask(value, `${at}: parameter ${value.name}`);
  for (const [key, of] of Object.entries(value)) {
    if (key === "example" || key === "examples") continue;
    if (key === "properties") for (const [name, one] of Object.entries(of)) ask(one, `${at}: ${name}`);
    const inner = silent(of, `${at}/${key}`);
    found.count += inner.count;
    found.places.push(...inner.places);
  }
  return found;
}

const document = await withServer(async (address) => (await fetch(`${address}/openapi.json`)).json());
const source = JSON.stringify(document);
if (options.output !== undefined) writeFileSync(options.output, source);
const config = await createConfig({ extends: ["recommended"], rules: RULES });
const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
const errors = problems.filter(({ severity }) => severity === "error");
const faults = errors.map(
  ({ ruleId, message, location }) => `${location[0]?.pointer}: ${message} (${ruleId})`,
);
const { count, places } = silent(document);
faults.push(...places.map((place) => `${place} has no description`));
if (readFileSync(CLIENT_FILE, "utf8") !== (await clientFile(document)))
  faults.push("the client has the types of another document: npm run client writes them again");
for (const fault of faults) console.error(fault);
const operations = Object.values(document.paths).flatMap((item) => Object.keys(item));
console.log(`${operations.length} operations, ${count} properties and parameters, ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
