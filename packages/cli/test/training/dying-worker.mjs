// A worker for tests that takes its time over six steps and can be killed at any of them. It leaves its process number
// in the folder that WORKERS names, and repeats the steps that were reported when it is run again.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const say = (message) => writeSync(3, `${JSON.stringify(message)}\n`);
const { job_id } = JSON.parse(readFileSync("task.json", "utf8"));
writeFileSync(join(process.env.WORKERS, String(process.pid)), "");
process.once("SIGTERM", () => process.exit(0));

say({ type: "started", num_sequences: 6, resumable: true });
for (let step = 1; step <= 6; step++) {
  await setTimeout(60);
  say({ type: "step", step, metrics: { loss: 1 / step } });
}
const weights = Buffer.from(`weights of ${job_id}`);
writeFileSync(join("output", "weights.bin"), weights);
const sha256 = createHash("sha256").update(weights).digest("hex");
say({ type: "done", files: [{ name: "weights.bin", sha256, size: weights.length }] });
