// Controllers that follow longer-lived signals, such as that of a server that closes.

/** The controllers that follow a signal, and its listener, which aborts them. */
interface Followers {
  readonly controllers: Set<AbortController>;
  readonly abortAll: () => void;
}

const followers = new WeakMap<AbortSignal, Followers>();

/**
 * A controller that also aborts when one of the given `signals` does. Abort it in the end, to remove its listeners from
 * the signals. (`AbortSignal.any` of Node.js 20 leaves a reference on a long-lived signal with each call, and Node.js
 * warns of more than ten listeners.)
 */
export function linkedController(...signals: readonly (AbortSignal | undefined)[]): AbortController {
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal === undefined) continue;
    if (signal.aborted) controller.abort(signal.reason);
    else if (!controller.signal.aborted) follow(signal, controller);
  }
  return controller;
}

function follow(signal: AbortSignal, controller: AbortController): void {
  const { controllers, abortAll } = followers.get(signal) ?? followed(signal);
  controllers.add(controller);
  const leave = (): void => {
    controllers.delete(controller);
    if (controllers.size > 0) return;
    followers.delete(signal);
    signal.removeEventListener("abort", abortAll);
  };
  controller.signal.addEventListener("abort", leave, { once: true });
}

function followed(signal: AbortSignal): Followers {
  const controllers = new Set<AbortController>();
  const abortAll = (): void => {
    for (const controller of controllers) controller.abort(signal.reason);
  };
  signal.addEventListener("abort", abortAll, { once: true });
  const one = { controllers, abortAll };
  followers.set(signal, one);
  return one;
}
