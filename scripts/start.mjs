// `npm start`: installs and builds what is missing, then runs the command.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
await import("./setup.mjs");
await import("../packages/cli/dist/assay.js");
