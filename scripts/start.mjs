// `npm start`: installs and builds what is missing, then loads the examples, prints a first comparison and starts the
// server. Options are passed on to the command: `npm start -- --port 8080`.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const options = process.argv.splice(2);
process.argv.push("--light");
await import("./setup.mjs");
process.argv.splice(2, 1, "demo", ...options);
await import("../packages/cli/bundle/assay.js");
