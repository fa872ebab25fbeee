// `npm start`: installs and builds what is missing, then loads the examples, answers a first comparison and serves.
// Options go on to the command: `npm start -- --port 8080`.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
await import("./setup.mjs");
process.argv.splice(2, 0, "demo");
await import("../packages/cli/dist/assay.js");
