// The list of a project's runs, filtered, sorted and in pages.

import type { Run } from "@assay/tracking-core";
import type { ProjectName } from "@assay/tracking-core/internal";
import type { Arguments } from "../resolvers/arguments.ts";
import { type Connection, connection, cursorIn, pageSize } from "../resolvers/connection.ts";
import type { ResolverContext } from "../resolvers/resolver-context.ts";
import { compareValues, type RunField, readRunFilter, runField } from "./run-filter.ts";

/** How many runs are read at a time, unless a page needs fewer. */
const READ = 500;

type Position = Pick<Run, "createdAt" | "id">;

/** A page of the runs that a client asks for. */
export async function runList(
  asked: ResolverContext,
  project: ProjectName,
  args: Arguments,
): Promise<Connection<object>> {
  const [, sign, name = ""] = /^([+-]?)(.*)$/s.exec(args.text("order") || "-created_at")!;
  const wanted = {
    matches: readRunFilter(args.text("filters")),
    order: sign === "-" ? "desc" : "asc",
    after: cursorIn(args),
    limit: pageSize(args.count("first")) + 1,
  } as const;
  const found = ["created_at", "createdAt"].includes(name)
    ? await byAge(asked, project, wanted)
    : await byField(asked, project, runField(name), wanted);
  return connection(found, wanted.limit - 1, {
    node: ({ run }) => asked.views.run(asked, run),
    cursorOf: ({ run: { createdAt, id }, at }) => ({ createdAt, id, at }),
  });
}

/** The number of runs that a client's filters select. */
export async function runCount(
  { tracking }: ResolverContext,
  project: ProjectName,
  args: Arguments,
): Promise<number> {
  const matches = readRunFilter(args.text("filters"));
  if (matches === undefined) return tracking.store.runCount(project);
  let count = 0;
  for await (const run of everyRun(tracking.store, project, "asc")) if (matches(run, tracking.now())) count++;
  return count;
}

interface RunListQuery {
  readonly matches: ReturnType<typeof readRunFilter>;
  readonly order: "asc" | "desc";
  readonly after: { readonly [name: string]: unknown } | undefined;
  readonly limit: number;
}

/** A run, and its index in the list. */
interface Listed {
  readonly run: Run;
  readonly at: number;
}

async function byAge(
  { tracking }: ResolverContext,
  project: ProjectName,
  { matches, order, after, limit }: RunListQuery,
): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  const start = after as Position | undefined;
  const atOnce = matches === undefined ? Math.min(limit, READ) : READ;
  for await (const run of everyRun(tracking.store, project, order, { start, atOnce })) {
    if (matches?.(run, tracking.now()) !== false) found.push({ run, at: 0 });
    if (found.length === limit) break;
  }
  return found;
}

/** Sorted by the value of a field; runs without a number or text there are last, and equal ones by age. */
async function byField(
  { tracking }: ResolverContext,
  project: ProjectName,
  { value }: RunField,
  { matches, order, after, limit }: RunListQuery,
): Promise<readonly Listed[]> {
  const now = tracking.now();
  const all: { readonly id: string; readonly key: unknown }[] = [];
  for await (const run of everyRun(tracking.store, project, order))
    if (matches?.(run, now) !== false) all.push({ id: run.id, key: value(run, now) });
  const sign = order === "desc" ? -1 : 1;
  all.sort((a, b) => rank(a.key) - rank(b.key) || sign * (compareValues(a.key, b.key) ?? 0));
  const before = all.findIndex(({ id }) => id === after?.["id"]);
  // If the run has been deleted since, the next one takes its place.
  const from = after === undefined ? 0 : before < 0 ? Number(after["at"]) : before + 1;
  const runs = await Promise.all(all.slice(from, from + limit).map(({ id }) => tracking.store.runWithId(id)));
  return runs.flatMap((run, i) => (run === undefined ? [] : [{ run, at: from + i }]));
}

/** Numbers come before texts, and both before anything else. */
function rank(key: unknown): number {
  if (typeof key === "number" && !Number.isNaN(key)) return 0;
  return typeof key === "string" ? 1 : 2;
}

async function* everyRun(
  store: ResolverContext["tracking"]["store"],
  project: ProjectName,
  order: "asc" | "desc",
  { start, atOnce = READ }: { readonly start?: Position | undefined; readonly atOnce?: number } = {},
): AsyncIterable<Run> {
  let after = start;
  for (;;) {
    const page = await store.runs(project, { order, ...(after && { after }), limit: atOnce });
    yield* page;
    after = page.at(-1);
    if (page.length < atOnce) return;
  }
}
