// The progress of an import: a bar with rate and remaining time on a terminal, nothing anywhere else.

import type { SingleBar } from "cli-progress";
import type { CliContext } from "./cli-context.ts";
import { plainText } from "./plain-text.ts";

/** A progress display, until it is stopped. */
export interface ShownProgress {
  /** Adds progress: bytes read or written, and the records or lines in them. */
  advance(bytes: number, count: number): void;
  /** Sets the progress, in bytes; it may go back to the start. */
  reach(bytes: number): void;
  stop(): void;
}

/** What to show the progress of. */
export interface ProgressOf {
  readonly name: string;
  /** The total: in bytes, or in units if `total` says so. */
  readonly size: number | undefined;
  /** The unit counted in addition to bytes. */
  readonly unit: string;
  /** Whether `size` is in units: the bar then shows these, and also bytes. */
  readonly inUnits?: boolean;
}

const MEGABYTE = 1_000_000;
/** Milliseconds between two updates of a bar, during which thousands of records may arrive. */
const PAUSE = 100;

/** A bar in the terminal of `context`, which `format` describes. Its library is only loaded for one. */
export async function progressBar(context: CliContext, format: string): Promise<SingleBar> {
  const { default: progress } = await import("cli-progress");
  return new progress.SingleBar({
    stream: context.stderr.stream as NodeJS.WritableStream,
    format,
    barsize: 24,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    hideCursor: true,
    clearOnComplete: true,
    forceRedraw: true,
    etaBuffer: 100,
  });
}

/** Shows progress. */
export async function showProgress(
  context: CliContext,
  { name, size, unit, inUnits = false }: ProgressOf,
): Promise<ShownProgress> {
  if (context.stderr.columns === undefined || context.quiet === true)
    return { advance() {}, reach() {}, stop() {} };
  const counts = `{count} ${unit} | {megabytes} MB | {rate} ${unit}/s`;
  const bar = await progressBar(
    context,
    size === undefined
      ? `${plainText(name)} | ${counts}`
      : `${plainText(name)} {bar} {percentage}% | ${counts} | {eta_formatted} left`,
  );
  const started = performance.now();
  let [count, bytes] = [0, 0];
  const payload = () => ({
    count: count.toLocaleString("en"),
    megabytes: (bytes / MEGABYTE).toLocaleString("en", { maximumFractionDigits: 1 }),
    rate: Math.round(count / Math.max(0.001, (performance.now() - started) / 1000)).toLocaleString("en"),
  });
  bar.start(Math.max(1, size ?? 1), 0, payload());
  let shown = started;
  const show = (): void => {
    const now = performance.now();
    if (now - shown < PAUSE) return;
    shown = now;
    bar.update(inUnits ? count : bytes, payload());
  };
  return {
    advance(more, counted) {
      count += counted;
      bytes += more;
      show();
    },
    reach(position) {
      bytes = position;
      show();
    },
    stop() {
      bar.update(inUnits ? count : bytes, payload());
      bar.stop();
    },
  };
}
