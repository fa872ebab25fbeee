// `npm run api`: compares the API report of every entry point, in packages/*/etc, with the build, in one process.
// `--update` rewrites the reports.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { update: { type: "boolean", default: false } },
});
const names = readdirSync(join(root, "packages")).filter(
  (name) => positionals.length === 0 || positionals.includes(name),
);

let failed = 0;
for (const name of names.sort()) {
  const folder = join(root, "packages", name);
  if (!existsSync(join(folder, "package.json"))) continue;
  // Each entry point has a configuration: api-extractor.json, and for example api-extractor.laws.json for `./laws`.
  const configs = readdirSync(folder)
    .filter((file) => /^api-extractor\.(?:[\w-]+\.)?json$/.test(file))
    .map((file) => ExtractorConfig.loadFileAndPrepare(join(folder, file)));
  if (configs.length === 0) continue;
  mkdirSync(join(folder, "etc"), { recursive: true });
  // The entry points of a package share their modules, so one compiler state serves all.
  const additionalEntryPoints = configs.map((config) => config.mainEntryPointFilePath);
  const compilerState = CompilerState.create(configs[0], { additionalEntryPoints });
  for (const config of configs) {
    const messages = [];
    const { succeeded } = Extractor.invoke(config, {
      compilerState,
      localBuild: values.update,
      printApiReportDiff: true,
      messageCallback: (message) => {
        message.handled = true;
        if (["error", "warning"].includes(message.logLevel))
          messages.push(message.formatMessageWithLocation());
      },
    });
    console.log(`${succeeded ? "ok  " : "FAIL"} api ${config.reportFilePath.slice(root.length + 1)}`);
    if (succeeded) continue;
    failed++;
    for (const line of messages) console.log(`     ${line}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
