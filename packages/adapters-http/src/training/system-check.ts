// The system check: whether everything that training needs answers.

import { Fault, type Json } from "@assay/base";
import type { Training } from "@assay/training-core";
import { answer, refusal } from "./answers.ts";

/**
 * Asks the store (`database`), the artifact store (`cpu_queue`, which fetches data and writes checkpoints) and the
 * trainers (`gpu_queue`) for a sign of life. 200 when all give one, else 503 with the same body and what failed.
 */
export async function systemCheck(
  { store, artifacts, clock }: Training,
  checkTrainers: () => Promise<void> = async () => {},
): Promise<Response> {
  const check = async (ask: () => Promise<unknown>) => {
    const start = clock.now();
    const errors: string[] = [];
    await ask().catch((error: unknown) =>
      errors.push(error instanceof Fault ? error.message : "internal error"),
    );
    return { success: errors.length === 0, duration: (clock.now() - start) / 1000, errors };
  };
  const [database, cpu, gpu] = await Promise.all([
    check(() => store.waiting(1)),
    check(() => artifacts.find("0".repeat(64))),
    check(checkTrainers),
  ]);
  const body = { api: true, database: database.success, cpu_queue: cpu, gpu_queue: gpu } satisfies Json;
  const failed = Object.entries({ database, cpu_queue: cpu, gpu_queue: gpu }).flatMap(([name, { errors }]) =>
    errors.map((error) => `${name}: ${error}`),
  );
  if (failed.length === 0) return answer(body);
  return refusal({ status: 503, detail: failed.join("; "), headers: { "Retry-After": "5" } }, { body });
}
