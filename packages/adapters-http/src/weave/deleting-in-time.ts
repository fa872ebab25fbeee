import { Fault } from "@assay/base";
import type { Reading } from "@assay/trace-core/internal";

/** Milliseconds that a client's deletion may look for what is below the calls. */
const PATIENCE = 60_000;

/**
 * What `act` gives, which ends early when the client has left or the time is up: then with a `timeout` fault. Until it
 * writes, nothing is deleted.
 */
export async function deletingInTime<T>(reading: Reading, act: (reading: Reading) => Promise<T>): Promise<T> {
  const deadline = AbortSignal.timeout(PATIENCE);
  const signal = {
    get aborted() {
      return deadline.aborted || reading.signal?.aborted === true;
    },
  };
  try {
    return await act({ ...reading, signal });
  } catch (error) {
    if (!deadline.aborted) throw error;
    const message = `finding what is below the calls took longer than ${PATIENCE / 1000} s, and nothing was deleted`;
    throw new Fault("timeout", message, { cause: error });
  }
}
