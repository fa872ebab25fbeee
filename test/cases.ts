// How much of a test runs: all of it in a full run, less in `npm test` and in the loop.

/** In a full run (`--mode full`, every night) tests are as long as they are meant to be. */
const isFull = process.env["ASSAY_TESTS"] === "full";

/** Random cases to try: `ASSAY_RUNS`, or `full` in a full run, or a tenth of that. */
export function cases(full: number): number {
  return Number(process.env["ASSAY_RUNS"] ?? (isFull ? full : Math.ceil(full / 10)));
}

/** How often to kill a process: `ASSAY_CRASH_ROUNDS`, or `full` in a full run, or `few`. */
export function rounds(full: number, few: number): number {
  return Number(process.env["ASSAY_CRASH_ROUNDS"] ?? (isFull ? full : few));
}
