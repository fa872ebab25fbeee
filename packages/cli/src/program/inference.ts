// The commands of inference: keys, usage and chat.

import { type Command, Option } from "commander";
import type { ChatOptions } from "../commands/inference/chat.ts";
import type { CreateKeyOptions, ListKeysOptions } from "../commands/inference/keys.ts";
import type { UsageOptions } from "../commands/inference/usage.ts";
import type { ServiceOptions } from "../data/service.ts";
import { anyNumber, collected, type ProgramParts } from "../options/common-options.ts";
import type { ConfiguredFlags } from "../options/settings-options.ts";

/** Adds its commands to the command line. */
export function addInferenceCommands(parts: ProgramParts): void {
  addKeys(parts);

  const { assay, context, common, ended } = parts;
  assay
    .command("usage")
    .description("report token usage of chats")
    .argument("[entity or project]", "only this project, or all projects of an entity (default: all)")
    .option("--by <parts>", "how to group: some of month,day,model,step,key,user", "model")
    .option("--from <day>", "the first day, such as 2026-01-31, in UTC")
    .option("--to <day>", "the last day, inclusive")
    .addOption(common.format())
    .addOption(common.data())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
Generated tokens are those a model produced; delivered tokens are those a client received. They
differ when a client disconnects during an answer. Interrupted requests count too. Costs are in
US dollars, for models with a price in the configuration file.

Examples:
  assay usage acme/demo --by day,key --from 2026-01-01
  assay usage acme --by month`,
    )
    .action(
      async (
        project: string | undefined,
        { configuration, ...options }: Omit<UsageOptions, "project" | "prices"> & ConfiguredFlags,
      ) => {
        const { usageCommand } = await import("../commands/inference/usage.ts");
        ended(await usageCommand(context, { ...options, project, prices: configuration?.prices }));
      },
    );

  assay
    .command("chat")
    .description("send a model a message, or talk to it line by line")
    .argument(
      "<model>",
      "as in API requests: assay/tiny, org/model, or wandb-artifact:///entity/project/name:step3",
    )
    .argument("[message]", "one message, whose answer is printed (default: a conversation)")
    .option("--system <text>", "system message, sent before the conversation")
    .addOption(
      anyNumber(
        "--temperature <number>",
        "0 always picks the likeliest token; 1 samples from the model unchanged",
      ),
    )
    .addOption(anyNumber("--max-tokens <count>", "maximum tokens per answer"))
    .addOption(anyNumber("--seed <number>", "the same seed gives the same answer"))
    .option("--project <entity/project>", "the project that usage counts towards")
    .addOption(common.upstreams())
    .addOption(common.data())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
End the conversation with Ctrl-D. In a pipe, each line is a turn, and only answers are printed.

Examples:
  assay chat assay/tiny
  assay chat assay/tiny "Say hello"
  echo "Say hello" | assay chat wandb-artifact:///acme/demo/greeter --temperature 0`,
    )
    .action(
      async (
        model: string,
        message: string | undefined,
        { temperature, maxTokens, seed, ...options }: ChatFlags,
      ) => {
        const { chatCommand } = await import("../commands/inference/chat.ts");
        const settings = Object.fromEntries(
          Object.entries({ temperature, max_tokens: maxTokens, seed }).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value]],
          ),
        );
        ended(await chatCommand(context, { ...options, model, message, settings }));
      },
    );
}

interface ChatFlags extends Omit<ChatOptions, "model" | "message" | "settings"> {
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
}

function addKeys({ assay, context, common, ended }: ProgramParts): void {
  const keys = assay.command("keys").description("create, list and revoke API keys").helpCommand(false);

  keys
    .command("create")
    .description("create a key; it is shown only once")
    .requiredOption("--name <name>", "a name for the key")
    .addOption(
      new Option(
        "--scope <scope>",
        "projects it opens: acme/demo, acme/* for all of acme, or * for everything; can be repeated",
      )
        .argParser(collected)
        .default([])
        .makeOptionMandatory(),
    )
    .option("--can <verbs>", "what it allows: some of read,write,train,chat (default: all)")
    .option("--days <count>", "days until it expires (default: never)")
    .addOption(common.data())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
Only a hash of the key is stored. A key with access to everything can also manage keys.

Examples:
  KEY=$(assay keys create --name ci --scope acme/demo)
  assay keys create --name app --scope acme/demo --can read,chat`,
    )
    .action(
      async (
        { scope: scopes, ...options }: Omit<CreateKeyOptions, "scopes"> & { readonly scope: string[] },
        command: Command,
      ) => {
        if (scopes.length === 0) command.error("assay: give at least one --scope, such as acme/demo");
        const { createKeyCommand } = await import("../commands/inference/keys.ts");
        ended(await createKeyCommand(context, { ...options, scopes }));
      },
    );

  keys
    .command("list")
    .description("list all keys, including expired and revoked ones")
    .addOption(common.format())
    .addOption(common.data())
    .addOption(common.serverKey())
    .action(async (options: ListKeysOptions) => {
      const { listKeysCommand } = await import("../commands/inference/keys.ts");
      ended(await listKeysCommand(context, options));
    });

  keys
    .command("revoke")
    .description("revoke a key, effective immediately")
    .argument("<id>", "the key's id as listed, or the key itself")
    .addOption(common.data())
    .addOption(common.serverKey())
    .action(async (id: string, options: ServiceOptions) => {
      const { revokeKeyCommand } = await import("../commands/inference/keys.ts");
      ended(await revokeKeyCommand(context, { ...options, id }));
    });
}
