// Loaded before the command by scripts/soak.mjs: at the signal USR2 it collects all garbage and writes what memory is then
// still held, so that a soak measures what grows and not when V8 thinks it time to collect. Never loaded by what ships.

import { renameSync, writeFileSync } from "node:fs";

const file = process.env.ASSAY_HELD;
process.on("SIGUSR2", () => {
  globalThis.gc();
  writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
  renameSync(`${file}.new`, file);
});
