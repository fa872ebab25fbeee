// The console output of a run, line by line.

import type { Run } from "@assay/tracking-core";
import type { Arguments } from "../resolvers/arguments.ts";
import { type Connection, connection, cursorIn, pageSize } from "../resolvers/connection.ts";
import type { ResolverContext } from "../resolvers/resolver-context.ts";

/** A line as clients send it: after its time, and after `ERROR` if it was printed as an error. */
const PRINTED = /^(ERROR )?(\d{4}-\d\d-\d\dT[\d:.]+) (.*)$/s;

/** A page of the lines, or the `last` ones. */
export async function consoleLines(
  { tracking }: ResolverContext,
  run: Run,
  args: Arguments,
): Promise<Connection<object>> {
  const last = args.count("last");
  const size = pageSize(last ?? args.count("first"));
  const after = cursorIn(args)?.["line"];
  const from = last === undefined ? (typeof after === "number" ? after + 1 : 0) : run.lines.output - size;
  const found = await tracking.store.lines(run.id, "output", { from: Math.max(0, from), limit: size + 1 });
  return connection(found, size, {
    node({ line: number, text }) {
      const [, error, timestamp = null, line = text] = PRINTED.exec(text) ?? [];
      return { number, timestamp, level: error === undefined ? "" : "error", label: "", line };
    },
    cursorOf: ({ line }) => ({ line }),
  });
}
