// The system check: whether everything that training depends on responds.

import { Fault } from "@assay/base";
import type { TrainingService } from "@assay/training-core";
import { answer, refusal } from "./response/responses.ts";

/** Checks in addition to that of the store. Each takes a few seconds at most. */
export interface SystemChecks {
  /** Rejects if artifacts cannot be stored now. Default: reads the artifact store. */
  readonly artifacts?: (() => Promise<void>) | undefined;
  /** The problems of trainers, as sentences; empty if all work, which is the default. */
  readonly trainers?: (() => Promise<readonly string[]>) | undefined;
}

/**
 * Answers the system check: checks the store (`database`), the artifact store (`cpu_queue`, which fetches data and
 * writes checkpoints) and the trainers (`gpu_queue`). 200 if everything works, else 503 with the same body and the
 * failures. Everyone may request it; requests during a check get its answer.
 */
export function systemCheck(training: TrainingService, checks: SystemChecks): () => Promise<Response> {
  let going: Promise<Findings> | undefined;
  return async () => {
    going ??= findings(training, checks).finally(() => {
      going = undefined;
    });
    const { database, ...queues } = await going;
    const body = { api: true, database: database.success, ...queues };
    const failed = Object.entries({ database, ...queues }).flatMap(([name, { errors }]) =>
      errors.map((error) => `${name}: ${error}`),
    );
    if (failed.length === 0) return answer(body);
    return refusal({ status: 503, detail: failed.join("; "), headers: { "Retry-After": "5" } }, { body });
  };
}

type Findings = Awaited<ReturnType<typeof findings>>;

async function findings({ store, artifacts, clock }: TrainingService, checks: SystemChecks) {
  const check = async (ask: () => Promise<readonly string[]>) => {
    const start = clock.now();
    const errors = await ask().catch((error: unknown) => [
      error instanceof Fault ? error.message : "internal error",
    ]);
    return { success: errors.length === 0, duration: (clock.now() - start) / 1000, errors };
  };
  const [database, cpu_queue, gpu_queue] = await Promise.all([
    check(() => store.waiting(1).then(() => [])),
    check(() => (checks.artifacts?.() ?? artifacts.find("0".repeat(64))).then(() => [])),
    check(checks.trainers ?? (async () => [])),
  ]);
  return { database, cpu_queue, gpu_queue };
}
