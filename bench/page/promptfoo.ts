// promptfoo's viewer over the rows of a data set. It needs 280 MB and its own Node.js, so it is measured only where it
// is installed; see README.md.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import type { Dataset, Trial } from "../dataset.ts";
import { progress } from "../program.ts";

const EVALUATION = "eval-bch-2026-01-01T00:00:00";

/** A running viewer. */
export interface PromptfooViewer {
  readonly version: string;
  /** The address of the evaluation. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Imports the rows into the promptfoo in the folder `ASSAY_BENCH_PROMPTFOO`, and starts its viewer; `scratch` holds its
 * data. Returns the reason if there is no promptfoo.
 */
export async function promptfooViewer(dataset: Dataset, scratch: string): Promise<PromptfooViewer | string> {
  const folder = process.env["ASSAY_BENCH_PROMPTFOO"];
  if (folder === undefined) return "ASSAY_BENCH_PROMPTFOO is not set to a folder with promptfoo";
  const own = join(folder, "node_modules/promptfoo");
  if (!existsSync(own)) return `promptfoo is not installed in ${folder}`;
  const { version, bin } = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as {
    version: string;
    bin: { promptfoo: string };
  };
  const node = join(folder, "node_modules/node/bin/node");
  const command = [
    existsSync(node) ? node : process.execPath,
    "--max-old-space-size=8192",
    join(own, bin.promptfoo),
  ] as const;
  const data = join(scratch, "promptfoo");
  mkdirSync(data);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: data,
    PROMPTFOO_CONFIG_DIR: data,
    PROMPTFOO_DISABLE_TELEMETRY: "1",
    PROMPTFOO_DISABLE_UPDATE: "1",
    PROMPTFOO_DISABLE_REMOTE_GENERATION: "1",
  };
  progress(`promptfoo ${version} imports the same rows`);
  const file = join(data, "eval.json");
  await pipeline(Readable.from(evaluationText(dataset)), createWriteStream(file));
  const [program, ...args] = command;
  await promisify(execFile)(program, [...args, "import", file], {
    env,
    timeout: 900_000,
    maxBuffer: 2 ** 26,
  });
  const port = String(20_000 + (process.pid % 20_000));
  const server = spawn(program, [...args, "view", "--no", "--port", port], { env, stdio: "ignore" });
  const close = async () => {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  };
  for (let tries = 0; !(await answers(`http://127.0.0.1:${port}/health`)); tries++) {
    if (server.exitCode === null && tries < 240) continue;
    await close();
    return `promptfoo ${version} does not start its server`;
  }
  return { version, address: `http://127.0.0.1:${port}/eval/${EVALUATION}`, close };
}

async function answers(address: string): Promise<boolean> {
  await new Promise((next) => setTimeout(next, 500));
  return fetch(address).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The evaluations as one results file: the first trial of each row, and one column for each evaluation. */
function* evaluationText(dataset: Dataset): Generator<string> {
  const prompts = dataset.evaluations.map((name) => ({
    raw: "{{question}}",
    label: name,
    id: name,
    provider: name,
    metrics: {
      score: 0,
      testPassCount: 0,
      testFailCount: 0,
      testErrorCount: 0,
      tokenUsage: {},
      namedScores: {},
    },
  }));
  const about = {
    version: 3,
    timestamp: "2026-01-01T00:00:00.000Z",
    prompts,
    stats: { successes: 0, failures: 0, errors: 0, tokenUsage: {} },
  };
  yield `{"evalId":"${EVALUATION}","config":{"description":"bench"},"shareableUrl":null,`;
  yield `"metadata":{"evaluationCreatedAt":"2026-01-01T00:00:00.000Z"},`;
  yield `"results":${JSON.stringify(about).slice(0, -1)},"results":[`;
  let first = true;
  for (const trial of dataset.trials()) {
    if (trial.trial !== 0) continue;
    yield `${first ? "" : ","}${JSON.stringify(resultOf(dataset, trial))}`;
    first = false;
  }
  yield "]}}";
}

function resultOf(dataset: Dataset, { row, evaluation, scores, output }: Trial): object {
  const success = scores[dataset.dimensions.findIndex(({ column }) => column === "correct")] === true;
  const vars = { question: `question ${row}` };
  const name = dataset.evaluations[evaluation]!;
  const namedScores = Object.fromEntries(
    dataset.dimensions.map(({ column }, at) => [column, Number(scores[at] ?? 0)] as const),
  );
  return {
    id: `${row}-${evaluation}`,
    promptIdx: evaluation,
    testIdx: row,
    testCase: { vars, assert: [] },
    promptId: name,
    provider: { id: name, label: name },
    prompt: { raw: vars.question, label: name },
    vars,
    response: { output },
    error: null,
    failureReason: 0,
    success,
    score: Number(success),
    latencyMs: 100,
    gradingResult: { pass: success, score: Number(success), reason: "", namedScores },
    namedScores,
    cost: 0,
    metadata: {},
  };
}
