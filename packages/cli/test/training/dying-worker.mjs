// A test worker that takes six slow steps and can be killed at any of them. It writes its process id to the folder
// WORKERS, and repeats the reported steps when it is restarted. The job's settings specify where its first run halts
// (`hold`), how long a step takes, and how large the checkpoint is.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const say = (message) => writeSync(3, `${JSON.stringify(message)}\n`);
const { job_id, attempt, spec } = JSON.parse(readFileSync("task.json", "utf8"));
const { hold, step_ms = 60, weights_bytes = 0 } = spec.config;
writeFileSync(join(process.env.WORKERS, String(process.pid)), "");
process.on("SIGTERM", () => {
  if (hold !== "deaf") process.exit(0);
});

/** Halts here if the first run is to be killed here: longer than any round, but not longer than its test. */
const stayAt = async (...places) => {
  if (places.includes(hold) && attempt === 1) await setTimeout(300_000);
};

await stayAt("loading");
say({ type: "started", num_sequences: 6, resumable: true });
await stayAt("started");
for (let step = 1; step <= 6; step++) {
  await setTimeout(step_ms);
  say({ type: "step", step, metrics: { loss: 1 / step } });
  if (step === 3) await stayAt("stepping", "deaf");
}
if (hold === "broken") {
  say({ type: "failed", code: "worker_broke", message: "it was told to" });
  process.exit(1);
}
const weights = Buffer.alloc(Math.max(64, weights_bytes));
weights.write(`weights of ${job_id}`);
writeFileSync(join("output", "weights.bin"), weights);
const sha256 = createHash("sha256").update(weights).digest("hex");
say({ type: "done", files: [{ name: "weights.bin", sha256, size: weights.length }] });
