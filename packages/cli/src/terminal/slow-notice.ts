// A notice for a user waiting at a terminal.

import { type CliContext, log } from "./cli-context.ts";

/** Milliseconds after which users wonder whether anything is happening. */
const SLOW = 1500;

/** Waits for `work`, and explains on a terminal why it takes long if it does. */
export async function withNotice<T>(context: CliContext, work: Promise<T>): Promise<T> {
  if (context.stderr.columns === undefined || context.quiet === true) return work;
  const timer = setTimeout(
    () => log(context, "assay: reading these evaluations for the first time; the next query will be fast"),
    SLOW,
  );
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
