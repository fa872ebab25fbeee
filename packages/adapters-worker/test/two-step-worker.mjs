// A worker without real training; its first argument selects its behaviour.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const [how] = process.argv.slice(2);
const folder = process.env.ASSAY_WORK_DIR;
const task = JSON.parse(readFileSync(join(folder, "task.json"), "utf8"));
const say = (message) => writeSync(3, `${JSON.stringify(message)}\n`);
const forever = () => setInterval(() => {}, 1000);
const step = (number) => say({ type: "step", step: number, metrics: { loss: 1 / number, wild: null } });

function leave(name, text) {
  writeFileSync(join(folder, "output", name), text);
  return { name, sha256: createHash("sha256").update(text).digest("hex"), size: Buffer.byteLength(text) };
}

const ways = {
  trains() {
    const data = readFileSync(join(folder, "data.jsonl"), "utf8");
    const parents = task.parent.files.map(({ name }) => readFileSync(join(folder, "parent", name), "utf8"));
    console.log("loading");
    console.error("a warning");
    say({ type: "started", num_sequences: 2, resumable: true });
    step(1);
    say({ type: "heartbeat" });
    step(2);
    say({
      type: "done",
      files: [leave("weights.bin", `${parents}${data.length}`)],
      metrics: { "val/loss": 1 },
    });
  },
  chatters() {
    for (let i = 0; i < 3000; i++) console.log(`line ${i} of a worker that says much`);
    ways.trains();
  },
  fails: () => say({ type: "failed", code: "out_of_memory", message: "no room", retryable: true }),
  // Sends a message first, so that the test knows when it receives signals.
  waits() {
    say({ type: "heartbeat" });
    forever();
  },
  ignores() {
    process.on("SIGTERM", () => say({ type: "heartbeat" }));
    ways.waits();
  },
  deafens() {
    // The child process holds the worker's pipe, and ignores signals too.
    const script =
      "process.on('SIGTERM',()=>{});require('fs').writeSync(3,'{\"type\":\"heartbeat\"}\\n');setInterval(()=>{},1e3)";
    spawn(process.execPath, ["-e", script], { stdio: ["ignore", "inherit", "inherit", 3] });
    process.on("SIGTERM", () => process.exit(0));
    forever();
  },
  exits: () => process.exit(3),
  postpones: () => process.exit(75),
  ends: () => say({ type: "started", num_sequences: 2 }),
  crashes: () => process.kill(process.pid, "SIGKILL"),
  babbles: () => writeSync(3, "Epoch 1/3: 100%\n"),
  floods() {
    const much = Buffer.alloc(65536, "x");
    for (;;) writeSync(3, much);
  },
  lies() {
    say({ type: "started", num_sequences: 0 });
    say({ type: "done", files: [{ ...leave("weights.bin", "truth"), sha256: "0".repeat(64) }] });
  },
  invents() {
    say({ type: "started", num_sequences: 0 });
    say({ type: "done", files: [{ name: "weights.bin", sha256: "0".repeat(64), size: 1 }] });
  },
  escapes: () => say({ type: "done", files: [{ name: "../task.json", sha256: "0".repeat(64), size: 1 }] }),
};
ways[how]();
