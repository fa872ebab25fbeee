// The commands of training: their options and help. Each command's code is loaded when it runs.

import { type Command, Option } from "commander";
import { EXIT, Failure } from "../failure.ts";
import type { World } from "../world.ts";
import { addModels } from "./models.ts";
import {
  type AtServer,
  type CommonOptions,
  collected,
  type Ended,
  EXIT_CODES,
  type ServerFlags,
} from "./options.ts";

interface TrainFlags extends ServerFlags {
  readonly baseModel?: string;
  readonly learningRate?: string;
  readonly batchSize?: string;
  readonly lossFn?: string;
  readonly set: string[];
  readonly detach?: boolean;
}

/** Adds `train`, `jobs`, `models` and `worker`. */
export function addTrainingCommands(assay: Command, world: World, common: CommonOptions, ended: Ended): void {
  const address = world.env["ASSAY_SERVER"];
  const atServer = (command: Command): Command => {
    const server = new Option(
      "--server <url>",
      "server to ask (env: ASSAY_SERVER; default: the one that serves --data)",
    );
    return command
      .addOption(address === undefined || address === "" ? server : server.default(address))
      .addOption(common.data())
      .addOption(common.serverKey());
  };
  addTrain(assay, world, ended, atServer);
  addJobs(assay, world, ended, atServer, common);
  addModels(assay, world, ended, atServer, common);
  addWorker(assay, world, ended, atServer);
}

function addTrain(assay: Command, world: World, ended: Ended, atServer: AtServer): void {
  const train = assay.command("train").description("train a model on a server, and follow the job");
  const common = (command: Command): Command =>
    atServer(
      command
        .argument("<model>", "PROJECT/NAME or ENTITY/PROJECT/NAME")
        .option("--base-model <name>", "make the model on this one when there is none, as assay/tiny")
        .option("--learning-rate <number>", "how far each step goes")
        .option("--set <name=value>", "another setting of the trainer; may be given again", collected, [])
        .option("--detach", "print the job's id and end, without following it"),
    );
  const submit = async (kind: "sft" | "rl", model: string, input: string, flags: TrainFlags) => {
    const { trainCommand } = await import("../commands/train.ts");
    const named = [
      ["learning_rate", flags.learningRate],
      ["batch_size", flags.batchSize],
      ["loss_fn", flags.lossFn],
    ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
    const settings = [...named, ...flags.set];
    const { server, apiKey, baseModel, detach = false } = flags;
    ended(
      await trainCommand(world, {
        kind,
        model,
        input,
        settings,
        baseModel,
        detach,
        server,
        apiKey,
        data: flags.data,
      }),
    );
  };

  common(train.command("sft").description("fine-tune on conversations: learn what the assistant said"))
    .argument(
      "<conversations>",
      'file with {"messages": [...]} on each line, gzipped or not; -, or an address',
    )
    .option("--batch-size <number>", "conversations that make a step")
    .addHelpText(
      "after",
      `
Examples:
  assay train sft demo/speller chats.jsonl --base-model assay/tiny --set epochs=4
  assay train sft demo/speller https://example.com/chats.jsonl --detach
${EXIT_CODES}`,
    )
    .action((model: string, input: string, flags: TrainFlags) => submit("sft", model, input, flags));

  common(train.command("rl").description("reinforce what went well: groups of scored trajectories"))
    .argument(
      "<groups>",
      "JSON file with a list of trajectory groups, gzipped or not; - is the standard input",
    )
    .addOption(new Option("--loss-fn <name>", "what is minimised").choices(["cispo", "ppo"]))
    .addHelpText(
      "after",
      `\nExample:\n  assay train rl demo/guesser groups.json --learning-rate 5e-6 --loss-fn cispo\n${EXIT_CODES}`,
    )
    .action((model: string, input: string, flags: TrainFlags) => submit("rl", model, input, flags));
}

function addJobs(
  assay: Command,
  world: World,
  ended: Ended,
  atServer: AtServer,
  { format }: CommonOptions,
): void {
  const jobs = assay.command("jobs").description("list training jobs, follow or cancel one");
  atServer(jobs.command("list", { isDefault: true }).description("list jobs, newest first"))
    .option("--status <states>", "only these, with commas between: queued, running, cancelling, failed, …")
    .option("--limit <number>", "the most to list, up to 100", "20")
    .addOption(format())
    .addHelpText("after", `\nExample:\n  assay jobs list --status queued,running\n${EXIT_CODES}`)
    .action(
      async (
        flags: ServerFlags & {
          readonly status?: string;
          readonly limit: string;
          readonly format?: "json" | "table";
        },
      ) => {
        const { jobsCommand } = await import("../commands/jobs.ts");
        const limit = wholeNumber("--limit", flags.limit, 100);
        ended(await jobsCommand(world, { ...flags, limit, status: flags.status, format: flags.format }));
      },
    );
  const one = (name: string, description: string) =>
    atServer(jobs.command(name).description(description).argument("<id>", "the job"));
  one("show", "show all that is known of a job, as JSON").action(async (job: string, flags: ServerFlags) => {
    const { showJobCommand } = await import("../commands/jobs.ts");
    ended(await showJobCommand(world, { ...flags, job }));
  });
  one("watch", "follow a job to its end; fails when the job does").action(
    async (job: string, flags: ServerFlags) => {
      const { watchCommand } = await import("../commands/watch-job.ts");
      ended(await watchCommand(world, { ...flags, job }));
    },
  );
  one("cancel", "cancel a job; its worker stops first").action(async (job: string, flags: ServerFlags) => {
    const { cancelCommand } = await import("../commands/jobs.ts");
    ended(await cancelCommand(world, { ...flags, job }));
  });
}

function addWorker(assay: Command, world: World, ended: Ended, atServer: AtServer): void {
  atServer(assay.command("worker").description("train the jobs of a server here, until told to stop"))
    .argument(
      "[command...]",
      "started for each job, after --; without one, tiny models are trained in this process",
    )
    .option(
      "--base-model <name>",
      "a base model it trains; may be given again (default: assay/tiny)",
      collected,
      [],
    )
    .option("--jobs <number>", "end after so many jobs")
    .option("--name <name>", "what logs call it (default: machine and process)")
    .option("--folder <dir>", "where jobs are worked on and their logs are kept", ".assay-worker")
    .addHelpText(
      "after",
      `
The server has to take models of these base models: {type: worker, base_models: [...]} in its --training file.

Examples:
  assay worker --server http://train.example:7777
  assay worker --server http://train.example:7777 --base-model Qwen/Qwen3-0.6B --jobs 1 -- python workers/peft/worker.py
${EXIT_CODES}`,
    )
    .action(
      async (
        command: string[],
        flags: ServerFlags & {
          readonly baseModel: string[];
          readonly jobs?: string;
          readonly name?: string;
          readonly folder: string;
        },
      ) => {
        const { workerCommand } = await import("../commands/worker.ts");
        const jobs = flags.jobs === undefined ? undefined : wholeNumber("--jobs", flags.jobs, 1e6);
        const baseModels = flags.baseModel.length === 0 ? ["assay/tiny"] : flags.baseModel;
        ended(await workerCommand(world, { ...flags, name: flags.name, jobs, baseModels, command }));
      },
    );
}

function wholeNumber(option: string, text: string, most: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw new Failure(EXIT.usage, `"${text}" does not do: ${option} takes a whole number from 1 to ${most}`);
}
