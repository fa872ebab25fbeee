// Preloaded into the server that `npm run hostile` measures. Reports the longest turn of its event loop, in
// milliseconds of CPU time of its thread: unlike wall time, CPU time does not depend on how busy the machine is. Only
// Linux reports it; on other systems the value is 0.

import { openSync, readSync } from "node:fs";

if (process.platform === "linux") {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  const bytes = Buffer.alloc(64);
  const spent = () =>
    Number(bytes.toString("latin1", 0, readSync(file, bytes, 0, 64, 0)).split(" ", 1)[0]) / 1e6;
  let [worst, last] = [0, spent()];
  setInterval(() => {
    const now = spent();
    worst = Math.max(worst, now - last);
    last = now;
  }, 1).unref();
  process.on("message", () => {
    const now = spent();
    process.send?.(Math.max(worst, now - last));
    [worst, last] = [0, now];
  });
} else process.on("message", () => process.send?.(0));
process.channel?.unref();
