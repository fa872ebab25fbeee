// Optional statistics in addition to another answer, which must not fail without them.

import { Fault, type Result } from "@assay/base";

/** The answer; undefined if the request does not apply, or the server is too old for it. */
export async function optionalStatistics<T>(answer: Promise<Result<T>>): Promise<T | undefined> {
  try {
    const given = await answer;
    return given.ok ? given.value : undefined;
  } catch (error) {
    if (error instanceof Fault && error.code === "missing") return undefined;
    throw error;
  }
}
