// Turns between pieces of long work. Keys take them round-robin, so that a key that has much under way waits for itself.

// In Node and in browsers, but in no ECMAScript library: declared here with what is used of them.
declare const setImmediate: ((run: () => void) => unknown) | undefined;
declare const MessageChannel: new () => {
  readonly port1: { onmessage: (() => void) | null; close(): void };
  readonly port2: { postMessage(message: undefined): void };
};

/** Work that waits for its turn, by key, in the order in which the keys get theirs. */
const waiting = new Map<string, (() => void)[]>();
let keyOfWork: () => string = () => "";

/**
 * Resolves once requests and answers that have arrived meanwhile, and one piece of work of each other key that waits
 * here, have run.
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

/** Says, for this process, whose work it is that asks for a turn. Default: everything is of one key. */
export function shareTurnsBy(key: () => string): void {
  keyOfWork = key;
}

/** Lets one piece of work go on: of the key that waited longest for its turn, the one that came first. */
function takeTurn(): void {
  const [[key, own]] = waiting as unknown as [[string, (() => void)[]]];
  const resume = own.shift()!;
  waiting.delete(key);
  if (own.length > 0) waiting.set(key, own);
  if (waiting.size > 0) afterEvents(takeTurn);
  resume();
}

/** Runs `act` once events that have arrived were handled. */
function afterEvents(act: () => void): void {
  if (typeof setImmediate === "function") return void setImmediate(act);
  // A browser's worker: a message waits for nothing, where timers wait four milliseconds.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    act();
  };
  port2.postMessage(undefined);
}
