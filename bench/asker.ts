/**
 * The script of a thread that sends a request every five milliseconds until it is stopped, then reports all latencies.
 * The first request, which loads the client, does not count.
 */
export const ASKER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const times = [];
  let stopped = false;
  parentPort.once("message", () => { stopped = true; });
  (async () => {
    await (await fetch(workerData)).text();
    parentPort.postMessage("ready");
    while (!stopped) {
      const start = performance.now();
      await (await fetch(workerData)).text();
      times.push(performance.now() - start);
      await new Promise((resume) => setTimeout(resume, 5));
    }
    parentPort.postMessage(times);
  })();
`;
