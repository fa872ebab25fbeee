// The trainer in this process: a `Trainer` that trains tiny models. It pauses often, so that the process can answer
// requests.
import { Fault, type Issue, ok, type Result } from "@assay/base";
import { baseModel, planRl, planSft, type TinyModel, type TrainingPlan } from "@assay/model-tiny";
import {
  CHECKSUM,
  checkpointPieces,
  contextOf,
  crc32,
  cutTo,
  decodeChecked,
  decodeWeights,
  isBaseModel,
  lossOf,
  type Sequence,
  type SftRow,
  type StepMetrics,
  sftSequence,
  type TinyWeights,
  type TrainingRun,
} from "@assay/model-tiny/internal";
import type {
  ArtifactFile,
  ArtifactStore,
  Metrics,
  StoredBlob,
  Trainer,
  TrainingTask,
  WorkerMessage,
} from "@assay/training-core";
import { sftRows } from "@assay/training-core/internal";
import { readRlConfig, readSftConfig } from "./training-config.ts";
import { warningsAfter, warningsBefore } from "./warnings.ts";

/** Options of the trainer. */
export interface TinyTrainerOptions {
  /** The store of checkpoints and training data. */
  readonly artifacts: Pick<ArtifactStore, "read" | "write">;
  /** Resolves after other work has run: in Node, `setImmediate` of `node:timers/promises`. */
  readonly pause: () => Promise<unknown>;
}

/** The only file of a tiny checkpoint. */
export const TINY_FILE = "tiny-model.bin";

/**
 * Trains models whose base model is one of `baseModel`. Results depend only on the task: another run of a task repeats
 * its steps to the bit, so that jobs can continue after their service was killed.
 */
export function tinyTrainer({ artifacts, pause }: TinyTrainerOptions): Trainer {
  return {
    accepts: (work) => isBaseModel(work.baseModel),

    async *train(task, signal) {
      const model = await loadTiny(artifacts, task.model.base_model, task.parent.files);
      const planned = await planOf(artifacts, task, contextOf(model), pause);
      if (signal.aborted) return;
      if (!planned.ok) return yield refusal(planned.issues);
      const plan = planned.value;
      yield { type: "started", num_sequences: plan.steps, resumable: true };
      yield* warningsBefore(task.spec, plan, contextOf(model));
      const before = await probed(model, plan.probe, pause);
      const run = plan.run(model);
      let step = 0;
      let metrics: Metrics = {};
      for (;;) {
        const next = nextStep(run);
        if ("type" in next) return yield next;
        if (next.done === true) break;
        if (next.value !== undefined) {
          metrics = next.value;
          yield { type: "step", step: ++step, metrics };
        }
        await pause();
        if (signal.aborted) return;
      }
      if (step === 0) return yield { type: "done" };
      yield* warningsAfter(step, before, await probed(model, plan.probe, pause));
      const heldOut = await validationOf(artifacts, task, contextOf(model), pause);
      const validation = await probed(model, heldOut, pause);
      const blob = await artifacts.write(restful(checkpointPieces(model), pause));
      yield {
        type: "done",
        files: [{ name: TINY_FILE, ...blob }],
        metrics: ofCheckpoint(metrics, validation),
      };
    },
  };
}

/** The mean loss of some conversations, with a pause after each; undefined without any. */
async function probed(
  model: TinyWeights,
  probe: readonly Sequence[],
  pause: () => Promise<unknown>,
): Promise<number | undefined> {
  let sum = 0;
  for (const sequence of probe) {
    sum += lossOf(model, [sequence]);
    await pause();
  }
  return probe.length === 0 ? undefined : sum / probe.length;
}

/** `pieces`, with a pause before each. */
async function* restful<T>(pieces: Iterable<T>, pause: () => Promise<unknown>): AsyncGenerator<T, void> {
  for (const piece of pieces) {
    await pause();
    yield piece;
  }
}

/**
 * The model of a checkpoint; without files, the base model `base`. Throws a `Fault`: `missing` if the base model or
 * the file does not exist, `corrupt` if the file is damaged.
 */
export async function loadTiny(
  artifacts: Pick<ArtifactStore, "read">,
  base: string,
  files: readonly ArtifactFile[],
): Promise<TinyModel> {
  const found = await find(artifacts, base, files);
  return "weights" in found ? found : decodeChecked(found.bytes, found.checksum);
}

/** Like `loadTiny`, without the optimiser's state: two thirds of a model, which answering does not need. */
export async function loadTinyWeights(
  artifacts: Pick<ArtifactStore, "read">,
  base: string,
  files: readonly ArtifactFile[],
): Promise<TinyWeights> {
  const found = await find(artifacts, base, files);
  if ("bytes" in found) return decodeWeights(found.bytes, found.checksum);
  return { shape: found.shape, weights: found.weights };
}

/** The base model, or the bytes of the checkpoint. */
async function find(
  artifacts: Pick<ArtifactStore, "read">,
  base: string,
  files: readonly ArtifactFile[],
): Promise<TinyModel | CheckedBytes> {
  const file = files.find(({ name }) => name === TINY_FILE);
  if (file !== undefined) return whole(artifacts.read(file.sha256), file.size);
  const model = files.length === 0 ? baseModel(base) : undefined;
  if (model === undefined) throw new Fault("missing", `there is no tiny model in this checkpoint of ${base}`);
  return model;
}

/** How to train, and the names of settings that mean nothing. */
interface TaskPlan extends TrainingPlan {
  readonly unknown: readonly string[];
}

async function planOf(
  artifacts: Pick<ArtifactStore, "read">,
  { spec }: TrainingTask,
  context: number,
  pause: () => Promise<unknown>,
): Promise<Result<TaskPlan>> {
  if (spec.kind === "rl") {
    const read = readRlConfig(spec.config);
    if (!read.ok) return read;
    const { config, unknown } = read.value;
    const plan = planRl(spec.trajectory_groups, { ...config, context });
    return plan.ok ? ok({ ...plan.value, unknown }) : plan;
  }
  const read = readSftConfig(spec.config);
  if (!read.ok) return read;
  const { config, unknown } = read.value;
  return ok({ ...planSft(await rowsOf(artifacts, spec.data, pause), { ...config, context }), unknown });
}

/** The validation conversations of the new checkpoint. */
async function validationOf(
  artifacts: Pick<ArtifactStore, "read">,
  { spec }: TrainingTask,
  context: number,
  pause: () => Promise<unknown>,
): Promise<readonly Sequence[]> {
  if (spec.kind === "rl" || spec.validation === undefined) return [];
  const rows = await rowsOf(artifacts, spec.validation, pause);
  return rows.map((row) => cutTo(sftSequence(row), context));
}

async function rowsOf(
  artifacts: Pick<ArtifactStore, "read">,
  { sha256 }: StoredBlob,
  pause: () => Promise<unknown>,
): Promise<readonly SftRow[]> {
  const rows: SftRow[] = [];
  for await (const row of sftRows(artifacts.read(sha256))) {
    rows.push(row);
    if (rows.length % ROWS_AT_ONCE === 0) await pause();
  }
  return rows;
}

/** The number of rows read between two pauses. */
const ROWS_AT_ONCE = 256;

/**
 * The next metrics of the run, or its failure if it diverged. It must not be retried: the result depends only on the
 * task, so it would diverge again.
 */
function nextStep(run: TrainingRun): IteratorResult<StepMetrics | undefined, void> | WorkerMessage {
  try {
    return run.next();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { type: "failed", code: "diverged", message: `${error.message}; a lower learning rate helps` };
  }
}

/** The failure of an impossible task: as many issues as fit. */
function refusal(issues: readonly Issue[]): WorkerMessage {
  const message = issues.slice(0, 5).map(({ path, message }) => `${path.join(".")}: ${message}`);
  return { type: "failed", code: issues[0]?.code ?? "trainer_failed", message: message.join("; ") };
}

/** The metrics of the last update for the new checkpoint. */
function ofCheckpoint(metrics: Metrics, validation: number | undefined): Metrics {
  const kept = ["loss", "reward", "entropy"].filter((name) => Object.hasOwn(metrics, name));
  return {
    ...Object.fromEntries(kept.map((name) => [`train/${name}`, metrics[name]!])),
    ...(validation !== undefined && { "val/loss": validation }),
  };
}

/** A checkpoint that was read, and the CRC-32 of all but its last bytes. */
interface CheckedBytes {
  readonly bytes: Uint8Array;
  readonly checksum: number;
}

/**
 * The bytes of a stream that should have `size` of them, checked as they arrive: checking all in one go would take
 * long.
 */
async function whole(stream: AsyncIterable<Uint8Array>, size: number): Promise<CheckedBytes> {
  const bytes = new Uint8Array(size);
  const end = size - CHECKSUM;
  let at = 0;
  let checksum = 0;
  for await (const piece of stream) {
    if (at + piece.length > size) throw new Fault("corrupt", `a checkpoint is longer than its ${size} bytes`);
    bytes.set(piece, at);
    checksum = crc32(piece.subarray(0, Math.max(0, end - at)), checksum);
    at += piece.length;
  }
  if (at < size) throw new Fault("corrupt", `a checkpoint has ${at} of its ${size} bytes`);
  return { bytes, checksum };
}
