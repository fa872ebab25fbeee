// The reporter: turns the trials of a run into calls of evaluations, and stores them when the run ends.

import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { checkMembers, isProjectName, type Members } from "@assay/base/internal";
import { assayClient } from "@assay/client";
import type { TestModule } from "vitest/node";
import { importByCommand } from "./import-command.ts";
import { hasRow, recordedBy, type TrialFacts } from "./trial.ts";

/**
 * Where to send trials, and how to name their evaluations. Set at most one of `server`, `data` and `file`; default
 * `server`.
 */
export interface ReporterOptions {
  /** `entity/project`. */
  readonly project: string;
  /**
   * The evaluation of trials that name none. Default: the path of the test's file. A named project of Vitest has
   * separate evaluations: its name is added.
   */
  readonly name?: string | undefined;
  /** The model of trials that name none. */
  readonly model?: string | undefined;
  /** The address of a server. Default: `ASSAY_URL`, else `http://127.0.0.1:7777`. */
  readonly server?: string | undefined;
  /** The API key of the server. Default: `ASSAY_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** A data directory. `assay import` writes to it, or to the server that has it open. */
  readonly data?: string | undefined;
  /** The command that runs `assay`, with its leading arguments. Default: `["assay"]`. */
  readonly command?: readonly [string, ...string[]] | undefined;
  /** A file of JSON lines to write, for `assay import`. */
  readonly file?: string | undefined;
  /** Called with what was done and what failed; neither fails the tests. Default: the console. */
  readonly tell?: ((message: string) => void) | undefined;
}

const OPTIONS: Members<ReporterOptions> = {
  ...{ project: "text", name: "text?", model: "text?", server: "text?", apiKey: "text?", data: "text?" },
  ...{ command: "list?", file: "text?", tell: "function?" },
};

/** The reporter, for `test.reporters`. */
export interface AssayReporter {
  /** Vitest calls it at the end of a run. */
  onTestRunEnd(modules: readonly TestModule[]): Promise<void>;
}

/**
 * A reporter that turns the trials of a run into evaluations. Throws a TypeError for an unknown option, for more than one
 * destination, and for a project that is not `entity/project`.
 */
export function assayReporter(options: ReporterOptions): AssayReporter {
  checkMembers("options", options, OPTIONS);
  const given = (["server", "data", "file"] as const).filter((name) => options[name] !== undefined);
  if (given.length > 1) throw new TypeError(`options: ${given.join(" and ")} exclude each other`);
  if (!isProjectName(options.project))
    throw new TypeError(`project must be "entity/project", not ${JSON.stringify(options.project)}`);
  const { tell = (message) => console.log(message) } = options;
  return {
    async onTestRunEnd(modules) {
      const evaluations = evaluationsOf(modules, options, (test) =>
        tell(`assay: no trial of "${test}": it recorded no row`),
      );
      for (const lack of lacking(modules)) tell(`assay: ${lack}`);
      if (evaluations.size === 0) return;
      try {
        const where = await bring([...evaluations.values()].flatMap(callsOf), options);
        for (const [name, { trials }] of evaluations)
          tell(`assay: ${name}: ${trials.length} trials to ${where}`);
      } catch (error) {
        tell(`assay: the evaluations were not saved: ${(error as Error).message}`);
      }
    },
  };
}

/** The parts of a run that did not run, whose trials are missing from evaluations. */
function lacking(modules: readonly TestModule[]): readonly string[] {
  const broken = modules.flatMap((module) =>
    [module, ...module.children.allSuites()].filter((part) => part.errors().length > 0),
  );
  const all = modules.flatMap((module) => [...module.children.allTests()]);
  const shard = modules[0]?.project.vitest.config.shard;
  const pending = all.filter((test) => test.result().state === "pending").length;
  return [
    ...broken.map(
      (part) =>
        `${part.type === "module" ? part.relativeModuleId : part.fullName} failed: trials of its tests may be missing`,
    ),
    ...(shard
      ? [`shard ${shard.index} of ${shard.count} has only some trials; for all, see --merge-reports`]
      : []),
    ...(pending > 0 ? [`tests that did not run, whose trials are missing: ${pending}`] : []),
  ];
}

interface RunTrial {
  readonly facts: TrialFacts;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly error: string | undefined;
}

interface RunEvaluation {
  readonly name: string;
  readonly model: string | undefined;
  readonly trials: RunTrial[];
}

function evaluationsOf(
  modules: readonly TestModule[],
  { name, model }: ReporterOptions,
  onMissingRow: (test: string) => void,
): ReadonlyMap<string, RunEvaluation> {
  const evaluations = new Map<string, RunEvaluation>();
  for (const module of modules) {
    const tests = [...module.children.allTests()];
    const hasTrials = tests.some((test) => recordedBy(test.meta()).length > 0);
    for (const test of tests) {
      const runs = recordedBy(test.meta());
      const { state, errors = [] } = test.result();
      if (state === "skipped" || state === "pending") continue;
      if (state === "failed" && hasTrials && runs.length === 0) onMissingRow(test.fullName);
      for (const [i, { facts, errorsBefore }] of runs.entries()) {
        if (!hasRow(facts)) {
          onMissingRow(test.fullName);
          continue;
        }
        const called = facts.evaluation ?? inProject(name ?? module.relativeModuleId, module);
        const evaluation: RunEvaluation = evaluations.get(called) ?? {
          name: called,
          model: facts.model ?? model,
          trials: [],
        };
        evaluations.set(called, evaluation);
        const [error] = errors.slice(errorsBefore, runs[i + 1]?.errorsBefore);
        evaluation.trials.push({
          facts,
          startedAt: (test.diagnostic()?.startTime ?? Date.now()) + i,
          // If a run fails after it was scored, the error does not concern the answer.
          error: facts.scores === undefined ? error?.message : undefined,
        });
      }
    }
  }
  return evaluations;
}

function inProject(name: string, { project }: TestModule): string {
  return project.name === "" ? name : `${name} (${project.name})`;
}

/** The calls of an evaluation, its root last, so that an evaluation is complete once it exists. */
function callsOf({ name, model, trials }: RunEvaluation): readonly object[] {
  const id = randomUUID();
  const first = Math.min(...trials.map(({ startedAt }) => startedAt));
  return [
    ...trials.map(({ facts, startedAt, error }) => ({
      id: randomUUID(),
      trace_id: id,
      parent_id: id,
      op_name: "Evaluation.predict_and_score",
      started_at: new Date(startedAt).toISOString(),
      ended_at: new Date(startedAt).toISOString(),
      inputs: { example: facts.row, model: facts.model ?? model ?? null },
      output: {
        output: facts.output ?? null,
        scores: facts.scores ?? {},
        ...(facts.latency !== undefined && { model_latency: facts.latency }),
      },
      exception: error ?? null,
      summary:
        facts.tokens === undefined
          ? {}
          : { usage: { [facts.model ?? model ?? "model"]: { total_tokens: facts.tokens } } },
    })),
    {
      id,
      trace_id: id,
      parent_id: null,
      op_name: "Evaluation.evaluate",
      display_name: name,
      started_at: new Date(first).toISOString(),
      ended_at: new Date().toISOString(),
      inputs: { model: model ?? null },
    },
  ];
}

/** Sends the calls to their destination. Returns its name for people. */
async function bring(calls: readonly object[], options: ReporterOptions): Promise<string> {
  const { project, data, file, command = ["assay"] } = options;
  const lines = `${calls.map((call) => JSON.stringify(call)).join("\n")}\n`;
  if (file !== undefined) {
    await writeFile(file, lines);
    return file;
  }
  if (data !== undefined) {
    await importByCommand([...command, "import", project, "-", "--data", data], lines);
    return `${project} (${data})`;
  }
  return importByServer(lines, options);
}

async function importByServer(lines: string, options: ReporterOptions): Promise<string> {
  const {
    server = process.env["ASSAY_URL"] || "http://127.0.0.1:7777",
    apiKey = process.env["ASSAY_API_KEY"],
  } = options;
  const [entity = "", project = ""] = options.project.split("/");
  const { ask } = assayClient({ url: server, apiKey });
  const input = { path: { entity, project }, body: lines };
  const { bad } = await ask("POST /v2/{entity}/{project}/calls/import", input);
  if (bad[0] !== undefined) throw new Error(`a trial was refused: ${bad[0].reason}`);
  return `${options.project} (${server})`;
}
