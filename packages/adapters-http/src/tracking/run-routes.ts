// Runs for clients other than W&B's: the list of runs, a single run, and its logged data.

import { bad, type Issue, type Json, ok, type Result } from "@assay/base";
import type { Line, Run, TrackingService } from "@assay/tracking-core";
import { metricValue, runState, storedObject } from "@assay/tracking-core/internal";
import { readProjectPath } from "../project-path.ts";
import type { Principal } from "../request/principal.ts";
import { readLimit } from "../request/read-limit.ts";
import { detailResponse, validationProblem } from "../response/problem.ts";
import type { Answer, Handlers, RouteRequest } from "../routing/operation.ts";
import { LINE_PAGE, RUN_PAGE } from "./operations.ts";
import { readCursor } from "./resolvers/connection.ts";
import { time } from "./resolvers/scalars.ts";

/** The dependencies of the handlers of runs and artifacts. */
export interface TrackingParts {
  readonly tracking: TrackingService;
  /** Answers authorised requests. */
  readonly handle: (answer: (asked: RouteRequest, principal: Principal) => Promise<Response>) => Answer;
}

const NOT_FOUND = { status: 404, detail: "there is no such run" } as const;

/** `GET /v2/{entity}/{project}/runs`, newest first, and the routes below. */
export function runHandlers({ tracking, handle }: TrackingParts): Handlers {
  const withRun = (answer: (run: Run, query: URLSearchParams) => Promise<Response>) =>
    handle(async ({ query, param }, principal) => {
      const [entity, project, name] = [param("entity"), param("project"), param("run")];
      if (!principal.allows(entity, project)) return detailResponse(NOT_FOUND);
      const run = await tracking.store.run({ entity, project, name });
      return run === undefined ? detailResponse(NOT_FOUND) : answer(run, query);
    });

  return {
    listRuns: handle(async ({ query, param }, principal) => {
      const [entity, project] = [param("entity"), param("project")];
      const path = readProjectPath(entity, project);
      if (!path.ok) return detailResponse(validationProblem(path.issues));
      const page = readPage(query);
      if (!page.ok) return detailResponse(validationProblem(page.issues));
      if (!principal.allows(entity, project))
        return detailResponse({ status: 404, detail: "there is no such project" });
      const { limit, after } = page.value;
      const found = await tracking.store.runs(
        { entity, project },
        { order: "desc", ...(after && { after }), limit: limit + 1 },
      );
      const runs = found.slice(0, limit);
      const last = runs.at(-1);
      return Response.json({
        runs: runs.map((run) => summaryOf(run, tracking.now())),
        next: found.length > limit && last !== undefined ? cursorOf(last) : null,
      });
    }),

    getRun: withRun(async (run) =>
      Response.json({
        ...summaryOf(run, tracking.now()),
        config: configOf(run),
        history_keys: run.historyKeys,
      }),
    ),

    getRunHistory: withRun(async (run, query) => {
      const range = readRange(query);
      if (!range.ok) return detailResponse(validationProblem(range.issues));
      const lines = await tracking.historyRange(run, { ...range.value, limit: range.value.limit + 1 });
      const page = lines.slice(0, range.value.limit);
      return Response.json({
        history: page.map((line) => shown(line, range.value.keys)),
        next_step: lines.length > range.value.limit ? lines.at(-1)!.step : null,
      });
    }),
  };
}

/** A run without its configuration. */
function summaryOf(run: Run, now: number) {
  return {
    id: run.id,
    name: run.name,
    display_name: run.displayName,
    state: runState(run, now),
    created_at: time(run.createdAt),
    heartbeat_at: time(run.heartbeatAt),
    exit_code: run.exitCode ?? null,
    group: run.group ?? null,
    job_type: run.jobType ?? null,
    tags: run.tags,
    notes: run.notes ?? null,
    last_step: run.lastStep < 0 ? null : run.lastStep,
    history_lines: run.lines.history,
    summary: storedObject(run.summary),
    model_id: run.modelId ?? null,
  };
}

/** The configuration without the client's wrappers around values and without its own additions. */
function configOf(run: Run): Json {
  const config = storedObject(run.config);
  return Object.fromEntries(
    Object.entries(config)
      .filter(([name]) => name !== "_wandb")
      .map(([name, value]) => [name, hasValue(value) ? value.value : value]),
  );
}

function hasValue(value: Json): value is { readonly value: Json } {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "value");
}

function shown({ text }: Line, keys: readonly string[]): Json {
  const line = storedObject(text);
  if (keys.length === 0) return line;
  return Object.fromEntries(["_step", ...keys].map((key) => [key, (metricValue(line, key) ?? null) as Json]));
}

function cursorOf({ createdAt, id }: Run): string {
  return Buffer.from(JSON.stringify({ createdAt, id })).toString("base64url");
}

interface Page {
  readonly limit: number;
  readonly after: Pick<Run, "createdAt" | "id"> | undefined;
}

function readPage(query: URLSearchParams): Result<Page> {
  const issues: Issue[] = [];
  const limit = readLimit(query, RUN_PAGE.most, issues) ?? RUN_PAGE.absent;
  const text = query.get("after");
  const cursor = readCursor(text ?? undefined);
  const { createdAt, id } = cursor ?? {};
  const isCursor = typeof createdAt === "number" && typeof id === "string";
  if (text !== null && !isCursor)
    issues.push({
      code: "value_error",
      path: ["query", "after"],
      message: "after must be the `next` of another page",
    });
  return issues.length > 0 ? bad(issues) : ok({ limit, after: isCursor ? { createdAt, id } : undefined });
}

interface Range {
  readonly keys: readonly string[];
  readonly minStep: number;
  readonly maxStep: number;
  readonly limit: number;
}

function readRange(query: URLSearchParams): Result<Range> {
  const issues: Issue[] = [];
  const step = (name: string, absent: number): number => {
    const text = query.get(name);
    if (text === null) return absent;
    if (/^\d{1,15}$/.test(text)) return Number(text);
    issues.push({
      code: "value_error",
      path: ["query", name],
      message: `${name} must be a non-negative whole number`,
    });
    return absent;
  };
  const minStep = step("min_step", 0);
  const maxStep = step("max_step", Number.MAX_SAFE_INTEGER);
  const limit = readLimit(query, LINE_PAGE.most, issues) ?? LINE_PAGE.absent;
  const keys = query.getAll("key");
  return issues.length > 0 ? bad(issues) : ok({ keys, minStep, maxStep, limit });
}
