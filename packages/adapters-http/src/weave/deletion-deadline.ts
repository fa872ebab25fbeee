import { Fault } from "@assay/base";
import type { ReadContext } from "@assay/trace-core/internal";

/** How many milliseconds a deletion may search for calls below the given ones. */
const PATIENCE = 60_000;

/**
 * The result of `act`, which ends early if the client disconnects or the time is up: then with a `timeout` fault.
 * Nothing is deleted before it writes.
 */
export async function withDeletionDeadline<T>(
  reading: ReadContext,
  act: (reading: ReadContext) => Promise<T>,
): Promise<T> {
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
    const message = `finding the calls below took longer than ${PATIENCE / 1000} s; nothing was deleted`;
    throw new Fault("timeout", message, { cause: error });
  }
}
