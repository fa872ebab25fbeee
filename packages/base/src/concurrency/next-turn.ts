// Turns between pieces of long work. Keys take turns, so that a key with much work delays only itself.

// Exists in Node and browsers, but in no ECMAScript library; declared here as far as it is used.
declare const setImmediate: ((run: () => void) => unknown) | undefined;
declare const MessageChannel: new () => {
  readonly port1: { onmessage: (() => void) | null; close(): void };
  readonly port2: { postMessage(message: undefined): void };
};

/** Work that waits for its turn, by key, in the order of the keys' turns. */
const waiting = new Map<string, (() => void)[]>();
let keyOfWork: () => string = () => "";

/**
 * Resolves after the requests and answers that arrived meanwhile, and one piece of work of each other waiting key,
 * have run.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resume) => {
    if (waiting.size === 0) afterEvents(takeTurn);
    const key = keyOfWork();
    const own = waiting.get(key);
    if (own === undefined) waiting.set(key, [resume]);
    else own.push(resume);
  });
}

/** Sets, for this process, how to find the key of the work that waits. Default: all work has the same key. */
export function shareTurnsBy(key: () => string): void {
  keyOfWork = key;
}

/** Continues one piece of work: the earliest one of the key that has waited the longest. */
function takeTurn(): void {
  const [[key, own]] = waiting as unknown as [[string, (() => void)[]]];
  const resume = own.shift()!;
  waiting.delete(key);
  if (own.length > 0) waiting.set(key, own);
  if (waiting.size > 0) afterEvents(takeTurn);
  resume();
}

/** Runs `act` after pending events were handled. */
export function afterEvents(act: () => void): void {
  if (typeof setImmediate === "function") return void setImmediate(act);
  // In a browser's worker: messages have no delay, while timers wait four milliseconds.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    act();
  };
  port2.postMessage(undefined);
}
