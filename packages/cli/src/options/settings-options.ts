// Sources of settings: options of the command line, then the environment, then the configuration file, then
// defaults.

import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import type { Configuration } from "../settings/configuration.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { collected } from "./common-options.ts";

/** The default configuration file, read if it exists. */
const USUAL = "assay.yaml";

/** The settings of a server: the options of `assay serve`, with their environment variables. */
export const VARIABLES: { readonly [option: string]: string | undefined } = {
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

/** The sources of settings in addition to the options of a command. */
export interface ConfiguredFlags {
  /** The configuration file; absent if there is none. */
  readonly configuration?: Configuration;
}

/** The option that names the configuration file. */
export function configOption(): Option {
  return new Option(
    "--config <file>",
    `configuration file, as YAML (env: ASSAY_CONFIG; default: ${USUAL} if it exists)`,
  );
}

/**
 * Applies the settings of the file to a command that is about to run, unless its options or the environment set them.
 */
export async function applySettings(assay: Command, command: Command, context: CliContext): Promise<void> {
  const named = assay.opts<{ readonly config?: string }>().config ?? variable(context, "ASSAY_CONFIG");
  const path = named ?? (existsSync(USUAL) ? USUAL : undefined);
  if (path === undefined) return;
  const { readConfiguration } = await import("../settings/configuration.ts");
  const configuration = await readConfiguration(context, path);
  const known = new Set(command.options.map((option) => option.attributeName()));
  for (const [name, value] of Object.entries(configuration.settings)) {
    const source = command.getOptionValueSource(name);
    const free = source === undefined || source === "default";
    if (known.has(name) && free && variable(context, VARIABLES[name]) === undefined)
      command.setOptionValueWithSource(name, value, "config");
  }
  command.setOptionValueWithSource("configuration", configuration, "config");
}

/** The value of an environment variable; undefined if it is empty. */
export function variable({ env }: CliContext, name: string | undefined): string | undefined {
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
      "how many watches, event streams and exports one key can have open at a time (default: 64)",
    )
    .option(
      "--project-storage <GiB>",
      "storage limit for the files of one project's runs and artifacts (default: 100)",
    )
    .option(
      "--drain <seconds>",
      "seconds to keep answering after a stop signal, while reporting not ready (default: 0)",
    );
}
