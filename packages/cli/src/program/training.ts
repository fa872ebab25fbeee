// The commands of training: their options and help. Each command's code is loaded when it runs.

import { type Command, Option } from "commander";
import type { ServerOptions } from "../clients/server-address.ts";
import type { JobsOptions } from "../commands/training/jobs.ts";
import type { TrainOptions } from "../commands/training/train.ts";
import type { WorkerOptions } from "../commands/training/worker.ts";
import { type AtServer, collected, type ProgramParts, wholeNumberIn } from "../options/common-options.ts";
import { addModels } from "./models.ts";

interface TrainFlags extends Omit<TrainOptions, "kind" | "model" | "input" | "settings"> {
  readonly learningRate?: string;
  readonly batchSize?: string;
  readonly lossFn?: string;
  readonly set: string[];
}

/** Adds `train`, `jobs`, `models` and `worker`. */
export function addTrainingCommands(parts: ProgramParts): void {
  const { common } = parts;
  const atServer = (command: Command): Command =>
    command
      .addOption(common.server("server to use (env: ASSAY_SERVER; default: the one that serves --data)"))
      .addOption(common.data())
      .addOption(common.serverKey());
  addTrain(parts, atServer);
  addJobs(parts, atServer);
  addModels(parts, atServer);
  addWorker(parts, atServer);
}

function addTrain({ assay, context, ended }: ProgramParts, atServer: AtServer): void {
  const train = assay.command("train").description("train a model on a server, and follow the job");
  const common = (command: Command): Command =>
    atServer(
      command
        .argument("<model>", "PROJECT/NAME or ENTITY/PROJECT/NAME")
        .option(
          "--base-model <name>",
          "create the model from this base model if it does not exist, such as assay/tiny",
        )
        .option("--learning-rate <number>", "step size of the optimizer")
        .option("--set <name=value>", "any other setting of the trainer; can be repeated", collected, [])
        .option("--detach", "print the job's id and exit without following the job", false),
    );
  const submit = async (kind: "sft" | "rl", model: string, input: string, flags: TrainFlags) => {
    const { trainCommand } = await import("../commands/training/train.ts");
    const { learningRate, batchSize, lossFn, set, ...options } = flags;
    const named = Object.entries({ learning_rate: learningRate, batch_size: batchSize, loss_fn: lossFn });
    const given = named.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
    ended(await trainCommand(context, { ...options, kind, model, input, settings: [...given, ...set] }));
  };

  common(train.command("sft").description("fine-tune on conversations (supervised)"))
    .argument(
      "<conversations>",
      'file with one {"messages": [...]} per line, gzipped or not; - for standard input, or a URL',
    )
    .option("--batch-size <number>", "conversations per step")
    .addHelpText(
      "after",
      `
Examples:
  assay train sft demo/speller chats.jsonl --base-model assay/tiny --set epochs=4
  assay train sft demo/speller https://example.com/chats.jsonl --detach`,
    )
    .action((model: string, input: string, flags: TrainFlags) => submit("sft", model, input, flags));

  common(train.command("rl").description("reinforcement learning from groups of scored trajectories"))
    .argument("<groups>", "JSON file with a list of trajectory groups, gzipped or not; - is standard input")
    .addOption(new Option("--loss-fn <name>", "the loss function").choices(["cispo", "ppo"]))
    .addHelpText(
      "after",
      `\nExample:\n  assay train rl demo/guesser groups.json --learning-rate 5e-6 --loss-fn cispo`,
    )
    .action((model: string, input: string, flags: TrainFlags) => submit("rl", model, input, flags));
}

function addJobs({ assay, context, ended, common: { format } }: ProgramParts, atServer: AtServer): void {
  const jobs = assay.command("jobs").description("list, follow or cancel training jobs");
  atServer(jobs.command("list", { isDefault: true }).description("list jobs, newest first"))
    .option(
      "--status <states>",
      "only jobs with these states, separated by commas: queued, running, cancelling, failed, …",
    )
    .option("--limit <number>", "maximum number to list, up to 100", "20")
    .addOption(format())
    .addHelpText("after", `\nExample:\n  assay jobs list --status queued,running`)
    .action(async (options: Omit<JobsOptions, "limit"> & { readonly limit: string }) => {
      const { jobsCommand } = await import("../commands/training/jobs.ts");
      const limit = wholeNumberIn(options.limit, "--limit", [1, 100]);
      ended(await jobsCommand(context, { ...options, limit }));
    });
  const one = (name: string, description: string) =>
    atServer(jobs.command(name).description(description).argument("<id>", "the job"));
  one("show", "show everything about a job, as JSON").action(async (job: string, flags: ServerOptions) => {
    const { showJobCommand } = await import("../commands/training/jobs.ts");
    ended(await showJobCommand(context, { ...flags, job }));
  });
  one("watch", "follow a job until it ends; fails if the job fails").action(
    async (job: string, flags: ServerOptions) => {
      const { watchJobCommand: watchCommand } = await import("../commands/training/watch-job.ts");
      ended(await watchCommand(context, { ...flags, job }));
    },
  );
  one("cancel", "cancel a job; its worker stops first").action(async (job: string, flags: ServerOptions) => {
    const { cancelCommand } = await import("../commands/training/jobs.ts");
    ended(await cancelCommand(context, { ...flags, job }));
  });
}

function addWorker({ assay, context, ended }: ProgramParts, atServer: AtServer): void {
  atServer(assay.command("worker").description("train a server's jobs on this machine, until interrupted"))
    .argument(
      "[command...]",
      "the command to run for each job, after -- (default: train tiny models in this process)",
    )
    .option(
      "--base-model <name>",
      "a base model that this worker trains; can be repeated (default: assay/tiny)",
      collected,
      [],
    )
    .option("--jobs <number>", "exit after this many jobs")
    .option("--name <name>", "name in logs (default: machine and process)")
    .option("--folder <dir>", "working folder for jobs and their logs", ".assay-worker")
    .addHelpText(
      "after",
      `
The server must accept these base models: its --training file needs an entry
{type: worker, base_models: [...]}.

Examples:
  assay worker --server http://train.example:7777
  assay worker --server http://train.example:7777 --base-model Qwen/Qwen3-0.6B --jobs 1 -- python workers/peft/worker.py`,
    )
    .action(
      async (
        command: string[],
        options: Omit<WorkerOptions, "jobs" | "baseModels" | "command"> & {
          readonly baseModel: string[];
          readonly jobs?: string;
        },
      ) => {
        const { workerCommand } = await import("../commands/training/worker.ts");
        const jobs = options.jobs === undefined ? undefined : wholeNumberIn(options.jobs, "--jobs", [1, 1e6]);
        const baseModels = options.baseModel.length === 0 ? ["assay/tiny"] : options.baseModel;
        ended(await workerCommand(context, { ...options, jobs, baseModels, command }));
      },
    );
}
