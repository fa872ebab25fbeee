// Stops waiting for an engine when its client disconnects or it takes too long.

import { Fault } from "@assay/base";

/** Measures the time spent waiting for the engine, and aborts its signal if that is too long. */
export interface RequestTimeouts {
  /** Aborted when the time is up, when the client's signal is, or by `abort`. */
  readonly signal: AbortSignal;
  /** Starts a wait of at most `ms` milliseconds; `what` is the message of the fault when they are over. */
  start(ms: number, what: string): void;
  /** Ends the wait. */
  pause(): void;
  /** Aborts the signal. */
  abort(): void;
  /** Why it aborted: the fault `timeout` or `cancelled`. */
  reason(): Fault | undefined;
  /** Releases the timer and the client's signal. Call it at the end. */
  stop(): void;
}

/** Timeouts, none of them running. `client` is the caller's signal. */
export function requestTimeouts(client: AbortSignal | undefined): RequestTimeouts {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let reason: Fault | undefined;
  const abort = (fault?: Fault) => {
    reason ??= fault;
    controller.abort(fault);
  };
  const onAbort = () => abort(new Fault("cancelled", "the request was cancelled"));
  client?.addEventListener("abort", onAbort, { once: true });
  if (client?.aborted) onAbort();

  return {
    signal: controller.signal,
    start(ms, what) {
      clearTimeout(timer);
      timer = setTimeout(() => abort(new Fault("timeout", what)), ms);
    },
    pause: () => clearTimeout(timer),
    abort: () => abort(),
    reason: () => reason,
    stop() {
      clearTimeout(timer);
      client?.removeEventListener("abort", onAbort);
    },
  };
}
