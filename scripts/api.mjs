// `npm run api`: holds the API report of every entry point, in packages/*/etc, against the build, in one process.
// `--update` writes them.
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
  // One configuration for each entry point: api-extractor.json, and api-extractor.laws.json for `./laws`.
  const configs = readdirSync(folder)
    .filter((file) => /^api-extractor\.(?:[\w-]+\.)?json$/.test(file))
    .map((file) => ExtractorConfig.loadFileAndPrepare(join(folder, file)));
  if (configs.length === 0) continue;
  mkdirSync(join(folder, "etc"), { recursive: true });
  // What one entry point is made of, the others are too: it is read once.
  const additionalEntryPoints = configs.map((config) => config.mainEntryPointFilePath);
  const compilerState = CompilerState.create(configs[0], { additionalEntryPoints });
  for (const config of configs) {
    const said = [];
    const { succeeded } = Extractor.invoke(config, {
      compilerState,
      localBuild: values.update,
      printApiReportDiff: true,
      messageCallback: (message) => {
        message.handled = true;
        if (["error", "warning"].includes(message.logLevel)) said.push(message.formatMessageWithLocation());
      },
    });
    console.log(`${succeeded ? "ok  " : "FAIL"} api ${config.reportFilePath.slice(root.length + 1)}`);
    if (succeeded) continue;
    failed++;
    for (const line of said) console.log(`     ${line}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
