// The command that prints the server's settings.

import type { ProgramParts } from "../options/common-options.ts";
import { addServerOptions, type ConfiguredFlags, VARIABLES, variable } from "../options/settings-options.ts";
import { kebabCase } from "../settings/kebab-case.ts";
import type { CliContext } from "../terminal/cli-context.ts";

/** Settings that may contain a secret. */
const SECRET: ReadonlySet<string> = new Set(["apiKey", "store"]);

/** Adds `assay config`. */
export function addConfigCommand({ assay, context, common, ended }: ProgramParts): void {
  const { apiKey, data, format, host, port, store, training, upstreams } = common;
  const command = assay
    .command("config")
    .description("print the server's settings, and where each comes from")
    .addOption(format());
  for (const option of [
    data(),
    store(),
    host(),
    port(),
    apiKey("a key with access to everything"),
    upstreams(),
    training(),
  ])
    command.addOption(option);
  addServerOptions(command)
    .addHelpText(
      "after",
      `
Options take precedence over environment variables, then the configuration file, then defaults.
docs/reference/configuration.md describes the file, which can also have prices, limits and
retention. An unknown setting in it is an error.

Examples:
  assay config
  assay serve --config assay.yaml --port 8080`,
    )
    .action(async (flags: ConfiguredFlags & { readonly format?: "json" | "table" }) => {
      const { configCommand } = await import("../commands/server/config.ts");
      const settings = Object.entries(VARIABLES).map(([name, variableName]) => {
        const value: unknown = command.getOptionValue(name);
        const source = command.getOptionValueSource(name);
        const from = sourceOf(source, variableName, flags.configuration?.path, context);
        return {
          name: kebabCase(name),
          value: SECRET.has(name) && value !== undefined ? "set" : value,
          from,
        };
      });
      ended(
        await configCommand(context, { settings, configuration: flags.configuration, format: flags.format }),
      );
    });
}

function sourceOf(
  source: string | undefined,
  variableName: string | undefined,
  file: string | undefined,
  context: CliContext,
): string {
  if (source === "cli") return "option";
  if (source === "config") return file ?? "file";
  // Environment variables are the defaults of options.
  return variable(context, variableName) === undefined ? "default" : `environment (${variableName})`;
}
