import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TrainingTask, WorkerMessage } from "@assay/training-core";
import { trainerLaws } from "@assay/training-core/laws";
import { memoryArtifactStore, simulatedClock } from "@assay/training-core/testing";
import { afterEach, describe, expect, test } from "vitest";
import { type ProcessTrainerOptions, processTrainer } from "../src/index.ts";

const WORKER = fileURLToPath(new URL("./two-step-worker.mjs", import.meta.url));
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A trainer whose command behaves as `how` names, and a task for it. */
async function open(how: string, options: Partial<ProcessTrainerOptions> = {}) {
  const artifacts = memoryArtifactStore();
  const clock = simulatedClock();
  const folder = mkdtempSync(join(tmpdir(), "assay-worker-"));
  folders.push(folder);
  const command = [process.execPath, WORKER, how] as const;
  const trainer = processTrainer({ command, artifacts, folder, clock, ...options });
  const parent = await artifacts.write([new TextEncoder().encode("parent")]);
  const task: TrainingTask = {
    job_id: "job/1",
    attempt: 1,
    steps_reported: 0,
    model: { id: "m", entity: "e", project: "p", name: "n", base_model: "b" },
    parent: { step: 3, files: [{ name: "weights.bin", ...parent }] },
    spec: {
      kind: "sft",
      training_data_url: "upload:",
      data: await artifacts.write([new TextEncoder().encode("{}\n")]),
      rows: 1,
      config: {},
    },
  };
  const said: WorkerMessage[] = [];
  const train = async (signal = new AbortController().signal, hear = (_: WorkerMessage) => {}) => {
    for await (const message of trainer.train(task, signal)) {
      said.push(message);
      hear(message);
    }
    return said;
  };
  return { artifacts, clock, folder, trainer, task, train };
}

describe("processTrainer", () => {
  for (const law of trainerLaws(() => open("trains"))) test(law.name, law.run);
});

describe("a command that trains", () => {
  test("finds its files, stores new ones, and keeps its log but not its folder", async () => {
    const { train, artifacts, folder } = await open("trains");
    const said = await train();
    expect(said.map(({ type }) => type)).toEqual(["started", "step", "heartbeat", "step", "done"]);
    expect(said[1]).toEqual({ type: "step", step: 1, metrics: { loss: 1 } });
    const done = said.at(-1)!;
    if (done.type !== "done") throw new Error("not done");
    const pieces: Uint8Array[] = [];
    for await (const piece of artifacts.read(done.files![0]!.sha256)) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe("parent3");
    expect(readdirSync(join(folder, "runs"))).toEqual([]);
    expect(
      readFileSync(join(folder, "logs", "job_1-1.log"), "utf8")
        .split("\n")
        .sort(),
    ).toEqual(["", "a warning", "loading"]);
  });

  test("has a log of limited size that keeps the newest part", async () => {
    const { train, folder } = await open("chatters", { logBytes: 10_000 });
    expect((await train()).at(-1)?.type).toBe("done");
    const log = join(folder, "logs", "job_1-1.log");
    expect(statSync(log).size).toBeLessThanOrEqual(10_000);
    expect(statSync(`${log}.1`).size).toBeLessThanOrEqual(10_000);
    expect(readFileSync(`${log}.1`, "utf8") + readFileSync(log, "utf8")).toContain("line 2999 ");
  });

  test("keeps its logs for a limited number of runs", async () => {
    const { trainer, task, folder } = await open("fails", { logRuns: 2 });
    for (const attempt of [1, 2, 3]) {
      for await (const _ of trainer.train({ ...task, attempt }, new AbortController().signal));
    }
    expect(readdirSync(join(folder, "logs")).sort()).toEqual(["job_1-2.log", "job_1-3.log"]);
  });
});

describe("however a command ends, the job ends with a reason", () => {
  test.each([
    ["fails", "out_of_memory", true, "no room"],
    ["exits", "worker_exited", false, "the worker ended with exit code 3"],
    ["postpones", "worker_exited", true, "the worker ended with exit code 75"],
    ["ends", "worker_ended", true, "the worker ended without a result"],
    ["crashes", "worker_killed", true, "the worker was killed by SIGKILL"],
    ["babbles", "worker_garbage", undefined, "the worker's message cannot be read: a line is not JSON"],
    [
      "floods",
      "worker_garbage",
      undefined,
      "the worker's message cannot be read: a line is longer than 1048576 characters",
    ],
    [
      "escapes",
      "worker_garbage",
      undefined,
      "the worker's message cannot be read: a file must have a plain name, a sha256 and a size",
    ],
    ["lies", "worker_files", undefined, "the file weights.bin has another digest than announced"],
    ["invents", "worker_files", undefined, "the file weights.bin is not in the output folder"],
  ])("a command that %s", async (how, code, retryable, message) => {
    const { train } = await open(how);
    const last = (await train()).at(-1);
    expect(last).toEqual({ type: "failed", code, message, ...(retryable !== undefined && { retryable }) });
  });

  test("a command that cannot be started", async () => {
    const { train } = await open("", { command: ["/nowhere/at-all"] });
    const message = "the worker cannot be started: ENOENT";
    expect(await train()).toEqual([{ type: "failed", code: "worker_not_started", message }]);
  });

  test("a command that hangs, even if it ignores signals", async () => {
    const { train, clock } = await open("ignores", { silenceMs: 60_000, graceMs: 5000 });
    let over = false;
    // The command first exceeds the silence limit, then the grace period.
    const tick = () => {
      clock.advance(5000);
      if (!over) setImmediate(tick);
    };
    const said = await train(undefined, () => setImmediate(tick));
    over = true;
    const message = "the worker sent nothing for 60 seconds";
    expect(said.at(-1)).toEqual({ type: "failed", code: "worker_hung", message, retryable: true });
  });
});

describe("a command that must stop", () => {
  test("is asked to, and its later messages are ignored", async () => {
    const { train, folder } = await open("waits");
    const stop = new AbortController();
    expect(await train(stop.signal, () => stop.abort())).toEqual([{ type: "heartbeat" }]);
    expect(existsSync(join(folder, "runs")) && readdirSync(join(folder, "runs"))).toEqual([]);
  });

  test("is not started if the job is already aborted", async () => {
    const { train, folder } = await open("trains");
    await train(AbortSignal.abort()).catch(() => {});
    expect(readdirSync(join(folder, "runs"))).toEqual([]);
    expect(existsSync(join(folder, "logs"))).toBe(false);
  });

  test("is stopped with all its child processes", async () => {
    const { train } = await open("deafens");
    const stop = new AbortController();
    expect(await train(stop.signal, () => stop.abort())).toEqual([{ type: "heartbeat" }]);
  });

  test("is stopped when its listener is gone", async () => {
    const { trainer, task, folder } = await open("waits");
    for await (const _ of trainer.train(task, new AbortController().signal)) break;
    expect(readdirSync(join(folder, "runs"))).toEqual([]);
  });
});

describe("the check of a command", () => {
  test.each([
    [process.execPath, undefined],
    ["node", undefined],
    ["/no/such/program", "the command /no/such/program does not exist, or is not a program"],
    [WORKER.replace(/[^/]*$/, ""), expect.stringContaining("is not a program")],
    ["no-such-program", "the command no-such-program was not found in PATH"],
    ["./here", expect.stringContaining("each run has its own folder")],
  ])("reports what is wrong with %s", async (program, message) => {
    const env = { PATH: `/nowhere:${dirname(process.execPath)}` };
    const { trainer } = await open("trains", { command: [program], env });
    const fault = await trainer.check?.().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(fault).toEqual(
      message === undefined ? undefined : expect.objectContaining({ code: "missing", message }),
    );
  });
});
