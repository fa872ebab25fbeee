// The commands of inference: keys, usage and chat.

import { type Command, Option } from "commander";
import { EXIT, Failure } from "../failure.ts";
import type { World } from "../world.ts";
import { type CommonOptions, collected, type Ended, EXIT_CODES } from "./options.ts";
import type { ConfiguredFlags } from "./settings.ts";

interface ServiceFlags {
  readonly data: string;
  readonly apiKey?: string;
}

interface FormatFlags extends ServiceFlags {
  readonly format?: "json" | "table";
}

/** Adds them to the command line. */
export function addInferenceCommands(
  assay: Command,
  world: World,
  common: CommonOptions,
  ended: Ended,
): void {
  addKeys(assay, world, common, ended);

  assay
    .command("usage")
    .description("report the tokens that chats used")
    .argument("[entity/project]", "only this project (default: all)")
    .option("--by <parts>", "some of day,model,step,key,user", "model")
    .option("--from <day>", "the first day, as 2026-01-31, in UTC")
    .option("--to <day>", "the last day, included")
    .addOption(common.format())
    .addOption(common.data())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
Generated tokens are those that a model made, delivered ones those that a client took of them: one that goes away in
the middle of an answer leaves the rest. Requests that were broken off count too. The cost is in US dollars, of the models
that have a price in the file of settings.

Example:
  assay usage acme/demo --by day,key --from 2026-01-01
${EXIT_CODES}`,
    )
    .action(
      async (
        project: string | undefined,
        options: FormatFlags &
          ConfiguredFlags & { readonly by: string; readonly from?: string; readonly to?: string },
      ) => {
        const { usageCommand } = await import("../commands/usage.ts");
        const { by, from, to, format, configuration } = options;
        const prices = configuration?.prices;
        ended(await usageCommand(world, { ...service(options), prices, project, by, from, to, format }));
      },
    );

  assay
    .command("chat")
    .description("talk to a model, one line at a time")
    .argument(
      "<model>",
      "as in a request: assay/tiny, org/model, or wandb-artifact:///entity/project/name:step3",
    )
    .option("--system <text>", "what the model is told before the conversation")
    .option("--temperature <number>", "0 takes the likeliest words, 1 is the model as it is", setting)
    .option("--max-tokens <count>", "the most tokens of an answer", setting)
    .option("--seed <number>", "the same seed says the same", setting)
    .option("--project <entity/project>", "whom usage counts for")
    .addOption(common.upstreams())
    .addOption(common.data())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
The end of the input ends it. In a pipe, each line is a turn, and only the answers are printed.

Examples:
  assay chat assay/tiny
  echo "Say hello" | assay chat wandb-artifact:///acme/demo/greeter --temperature 0
${EXIT_CODES}`,
    )
    .action(async (model: string, options: ServiceFlags & ChatFlags) => {
      const { chatCommand } = await import("../commands/chat.ts");
      const { system, temperature, maxTokens, seed, project, upstreams } = options;
      const settings = Object.fromEntries(
        Object.entries({ temperature, max_tokens: maxTokens, seed }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        ),
      );
      ended(await chatCommand(world, { ...service(options), model, system, settings, project, upstreams }));
    });
}

interface ChatFlags {
  readonly system?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
  readonly project?: string;
  readonly upstreams?: string;
}

function addKeys(assay: Command, world: World, common: CommonOptions, ended: Ended): void {
  const keys = assay.command("keys").description("make, list and revoke API keys").helpCommand(false);

  keys
    .command("create")
    .description("make a key, and print it: it is told only once")
    .requiredOption("--name <name>", "what you call it")
    .addOption(
      new Option(
        "--scope <scope>",
        "where it may be used: acme/demo, acme/* for all of acme, or * for everything; may be given again",
      )
        .argParser(collected)
        .default([])
        .makeOptionMandatory(),
    )
    .option("--can <verbs>", "what it may be used for: some of read,write,train,chat (default: all of them)")
    .option("--days <count>", "how many days it works (default: until it is revoked)")
    .addOption(common.data())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
Only a hash of it is kept. A key for everything may manage keys too.

Example:
  KEY=$(assay keys create --name ci --scope acme/demo)
  assay keys create --name app --scope acme/demo --can read,chat
${EXIT_CODES}`,
    )
    .action(
      async (
        options: ServiceFlags & {
          readonly name: string;
          readonly scope: string[];
          readonly days?: string;
          readonly can?: string;
        },
        command: Command,
      ) => {
        if (options.scope.length === 0) command.error("assay: give at least one --scope, such as acme/demo");
        const { createKeyCommand } = await import("../commands/keys.ts");
        const { name, scope: scopes, days, can } = options;
        ended(await createKeyCommand(world, { ...service(options), name, scopes, days, can }));
      },
    );

  keys
    .command("list")
    .description("list the keys, also those that work no more")
    .addOption(common.format())
    .addOption(common.data())
    .addOption(common.serverKey())
    .action(async (options: FormatFlags) => {
      const { listKeysCommand } = await import("../commands/keys.ts");
      ended(await listKeysCommand(world, { ...service(options), format: options.format }));
    });

  keys
    .command("revoke")
    .description("make a key work no more, at once")
    .argument("<id>", "the key's id, as listed, or the key itself")
    .addOption(common.data())
    .addOption(common.serverKey())
    .action(async (id: string, options: ServiceFlags) => {
      const { revokeKeyCommand } = await import("../commands/keys.ts");
      ended(await revokeKeyCommand(world, { ...service(options), id }));
    });
}

function service({ data, apiKey }: ServiceFlags) {
  return { data, apiKey, upstreams: undefined };
}

/** A number that is sent as it is: the server says what is wrong with it. */
function setting(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new Failure(EXIT.usage, `"${text}" is no number`);
}
