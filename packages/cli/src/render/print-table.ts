// Lists: tables on a terminal, otherwise JSON.

import { type CliContext, print } from "../terminal/cli-context.ts";
import type { Cell } from "./table.ts";

/** How a command prints its answer. */
export interface PrintOptions {
  /** Default: a table on a terminal, otherwise JSON. */
  readonly format?: "json" | "table" | undefined;
}

/** Whether to print JSON: as requested, otherwise anywhere but on a terminal. */
export function isJson({ stdout }: CliContext, { format }: PrintOptions): boolean {
  return format === "json" || (format === undefined && stdout.columns === undefined);
}

/** Prints a table; the column at the index `whole` never shrinks. */
export async function printTable(
  context: CliContext,
  head: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  whole?: number,
): Promise<void> {
  // Loaded on demand: JSON needs none of it.
  const { tableOf } = await import("./table.ts");
  await print(context, tableOf(head, rows, { width: context.stdout.columns ?? 100, tight: true, whole }));
}
