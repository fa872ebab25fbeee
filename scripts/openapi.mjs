// `npm run openapi`: checks the OpenAPI document of the built command. A linter must find no errors, every property and
// parameter must have a description, and the types of the client must match the document. A property name that several
// schemas share is described once, in packages/adapters-http/src/openapi/property-descriptions.ts; any other in its own
// schema. `--output FILE` writes the document.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { CLIENT_FILE, clientFile } from "./client.mjs";
import { withServer } from "./served.mjs";

const { values: options } = parseArgs({ options: { output: { type: "string" } } });

const RULES = {
  // The hosted service serves two addresses both with and without a trailing slash.
  "no-path-trailing-slash": "off",
  // A valid health request cannot fail.
  "operation-4xx-response": "off",
  // Descriptions refer to the schemas of stream events by name.
  "no-unused-components": "off",
};

/** The places of properties and parameters without a description, and the number of all of them. */
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
  faults.push("the client's types are out of date: run npm run client");
for (const fault of faults) console.error(fault);
const operations = Object.values(document.paths).flatMap((item) => Object.keys(item));
console.log(`${operations.length} operations, ${count} properties and parameters, ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
