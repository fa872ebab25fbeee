// A turn for others, in Node and in a browser's worker.

/** Resolves once whatever else waits, requests and answers among them, has had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resume) => {
    // Browsers have none; of what they have, a message waits for nothing, where timers wait four milliseconds.
    if (typeof setImmediate === "function") return void setImmediate(resume);
    const { port1, port2 } = new MessageChannel();
    Object.assign(port1, {
      onmessage() {
        port1.close();
        resume();
      },
    });
    port2.postMessage(undefined);
  });
}
