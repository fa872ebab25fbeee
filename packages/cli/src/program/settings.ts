// Sources of settings: options of the command line, then the environment, then the settings file, then defaults.

import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.ts";
import type { Configuration } from "../configuration.ts";
import { kebabCase } from "../kebab-case.ts";
import { collected, EXIT_CODES, type ProgramParts } from "./options.ts";

/** The default settings file, read if it exists. */
const USUAL = "assay.yaml";

/** The settings of a server: the options of `assay serve`, with their environment variables. */
const VARIABLES: { readonly [option: string]: string | undefined } = {
  data: "ASSAY_DATA",
  host: undefined,
  port: "ASSAY_PORT",
  store: "ASSAY_STORE",
  apiKey: "ASSAY_API_KEY",
  cors: undefined,
  publicUrl: undefined,
  log: undefined,
  metrics: undefined,
  streams: undefined,
  projectStorage: undefined,
  drain: undefined,
  upstreams: "ASSAY_UPSTREAMS",
  training: "ASSAY_TRAINING",
};

/** Settings that may contain a secret. */
const SECRET: ReadonlySet<string> = new Set(["apiKey", "store"]);

/** The sources of settings besides the options of a command. */
export interface ConfiguredFlags {
  /** The settings file; absent if there is none. */
  readonly configuration?: Configuration;
}

/** The option that names the settings file. */
export function configOption(): Option {
  return new Option(
    "--config <file>",
    `settings file, as YAML (env: ASSAY_CONFIG; default: ${USUAL} if it exists)`,
  );
}

/**
 * Applies the settings of the file to a command that is about to run, unless its options or the environment set them.
 */
export async function applySettings(assay: Command, command: Command, context: CliContext): Promise<void> {
  const named = assay.opts<{ readonly config?: string }>().config ?? variable(context, "ASSAY_CONFIG");
  const path = named ?? (existsSync(USUAL) ? USUAL : undefined);
  if (path === undefined) return;
  const { readConfiguration } = await import("../configuration.ts");
  const configuration = await readConfiguration(context, path);
  const known = new Set(command.options.map((option) => option.attributeName()));
  for (const [name, value] of Object.entries(configuration.settings)) {
    const said = command.getOptionValueSource(name);
    const free = said === undefined || said === "default";
    if (known.has(name) && free && variable(context, VARIABLES[name]) === undefined)
      command.setOptionValueWithSource(name, value, "config");
  }
  command.setOptionValueWithSource("configuration", configuration, "config");
}

function variable({ env }: CliContext, name: string | undefined): string | undefined {
  return name === undefined || env[name] === "" ? undefined : env[name];
}

/** The options for closing streams, stopping, and allowed origins. */
export function addServerOptions(command: Command): Command {
  return command
    .option(
      "--cors <origin>",
      "let web pages of this origin use the server, such as https://app.example; can be repeated",
      collected,
      [],
    )
    .option(
      "--public-url <url>",
      "URL of the server for clients, such as https://assay.example, if it is behind a proxy (default: from their requests)",
    )
    .option(
      "--log",
      "log each request to stderr as a line of JSON: id, method, route and its ids, status, milliseconds",
    )
    .option("--metrics", "serve GET /metrics for Prometheus, to keys that can read every project")
    .option(
      "--streams <count>",
      "watches, event streams and exports that one key can have open at a time (default: 64)",
    )
    .option(
      "--project-storage <GiB>",
      "GiB that the files of one project's runs and artifacts can use (default: 100)",
    )
    .option(
      "--drain <seconds>",
      "seconds to keep answering, while reporting not ready, after being told to stop (default: 0)",
    );
}

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
Options take precedence over environment variables, then the settings file, then defaults. The file can also have prices
and limits, which are not printed here. Unknown settings are refused by name.

Examples:
  assay config
  assay serve --config assay.yaml --port 8080
${EXIT_CODES}`,
    )
    .action(async (flags: ConfiguredFlags & { readonly format?: "json" | "table" }) => {
      const { configCommand } = await import("../commands/config.ts");
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
