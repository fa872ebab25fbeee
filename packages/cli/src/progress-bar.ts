// The progress of an import: a bar with rate and remaining time on a terminal, nothing anywhere else.

import type { InputFile } from "./input-file.ts";
import { plainText } from "./plain-text.ts";
import type { World } from "./world.ts";

/** Progress that is shown, until it is stopped. */
export interface ShownProgress {
  /** Some more of the file was read: these bytes of it. What they gave is counted when anybody looks. */
  advance(bytes: number, lines: () => number): void;
  stop(): void;
}

/** Shows how the import of `file` goes on, in lines or whatever it is counted in. */
export async function showProgress(
  world: World,
  file: Pick<InputFile, "name" | "size">,
  unit = "lines",
): Promise<ShownProgress> {
  if (world.stderr.columns === undefined || world.quiet === true) return { advance() {}, stop() {} };
  const { default: progress } = await import("cli-progress");
  const known = file.size !== undefined;
  const name = plainText(file.name);
  const bar = new progress.SingleBar({
    stream: world.stderr.stream as NodeJS.WritableStream,
    format: known
      ? `${name} {bar} {percentage}% | {lines} ${unit} | {rate}/s | {eta_formatted} left`
      : `${name} | {lines} ${unit} | {rate}/s`,
    barsize: 24,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    hideCursor: true,
    clearOnComplete: true,
    forceRedraw: true,
    etaBuffer: 100,
  });
  const started = performance.now();
  let total = 0;
  const payload = () => ({
    lines: total.toLocaleString("en"),
    rate: Math.round(total / Math.max(0.001, (performance.now() - started) / 1000)).toLocaleString("en"),
  });
  bar.start(Math.max(1, file.size ?? 1), 0, payload());
  return {
    advance(bytes, lines) {
      total += lines();
      bar.increment(bytes, payload());
    },
    stop: () => bar.stop(),
  };
}
