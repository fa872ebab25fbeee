// Changes runs: creates and configures them, and stores their streams.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { untilWritten } from "@assay/base/internal";
import type { Model } from "@assay/training-core";
import { md5Checked } from "../artifact/md5.ts";
import { nameIssue, pathIssue } from "../names.ts";
import { removeUnused, type TrackingServiceParts } from "../ports/context.ts";
import type { WrittenLines } from "../ports/tracking-store.ts";
import { finiteObject, OBJECT_TEXT } from "../run/finite-json.ts";
import { MOST_KEYS, type ProjectName, type Run, type RunFile, type RunName, runState } from "../run/run.ts";
import type { StreamLines, StreamUpdate } from "../run/stream-update.ts";

/** The settings of a run; absent members stay unchanged. */
export interface RunUpsert {
  /** Its display name. */
  readonly displayName?: string | undefined;
  /** A JSON object as text, replacing the previous one. */
  readonly config?: string | undefined;
  /** A JSON object as text, replacing the previous one. */
  readonly summary?: string | undefined;
  /** Its tags, replacing the previous ones. */
  readonly tags?: readonly string[] | undefined;
  /** A description for people. */
  readonly notes?: string | undefined;
  /** The group of related runs. */
  readonly group?: string | undefined;
  /** The kind of run, such as `train`. */
  readonly jobType?: string | undefined;
}

const MOST_TAGS = 100;
const LONGEST_TEXT = 64 * 1024;

/** A created or changed run. */
export interface UpsertedRun {
  /** Its current state. */
  readonly run: Run;
  /** Whether it is new. */
  readonly inserted: boolean;
}

/** The author of a change of a run. */
export interface Upserting {
  /** Whether it is the run's program, in which case an ended run continues. */
  readonly runs: boolean;
  /** Whether the program does not know of an earlier run: a run that had ended or crashed then starts over. */
  readonly mayStartOver?: boolean;
}

/** Creates the run, or changes an existing one. Issues: `name`, `json`, `too_large`. */
export async function upsertRun(
  tracking: TrackingServiceParts,
  name: RunName,
  upsert: RunUpsert,
  { runs, mayStartOver = false }: Upserting,
): Promise<Result<UpsertedRun>> {
  const issues = [...runNameIssues(name), ...upsertIssues(upsert)];
  if (issues.length > 0) return bad(issues);
  const wanted = Object.fromEntries(
    Object.entries({
      ...upsert,
      config: upsert.config && finiteObject(upsert.config)?.text,
      summary: upsert.summary && finiteObject(upsert.summary)?.text,
    }).filter(([, value]) => value !== undefined),
  );
  return untilWritten(async () => {
    const before = await tracking.store.run(name);
    const startsOver = mayStartOver && before !== undefined && runState(before, tracking.now()) !== "running";
    const { exitCode, heartbeatAt, ...base } = {
      ...(before ?? newRun(tracking, name)),
      ...(startsOver && NOTHING_LOGGED),
    };
    const run: Run = {
      ...base,
      ...wanted,
      version: base.version + 1,
      heartbeatAt: runs ? tracking.now() : heartbeatAt,
      ...(!runs && exitCode !== undefined && { exitCode }),
    };
    const written = await tracking.store.commitRun({ run, startsOver });
    return written ? ok({ run, inserted: before === undefined }) : undefined;
  });
}

/** A run without anything written yet: version 0. */
function newRun(tracking: TrackingServiceParts, { entity, project, name }: RunName): Run {
  const now = tracking.now();
  return {
    id: tracking.newId(),
    version: 0,
    entity,
    project,
    name,
    displayName: name,
    createdAt: now,
    heartbeatAt: now,
    config: "{}",
    tags: [],
    ...NOTHING_LOGGED,
  };
}

/** The line counts of a run without lines. */
const NOTHING_LOGGED: Pick<Run, "summary" | "lines" | "lastStep" | "historyKeys"> = {
  summary: "{}",
  lines: { history: 0, events: 0, output: 0 },
  lastStep: -1,
  historyKeys: [],
};

function runNameIssues({ entity, project, name }: RunName): readonly Issue[] {
  return [nameIssue("entity", entity), nameIssue("project", project), nameIssue("run", name)].filter(
    (issue) => issue !== undefined,
  );
}

function upsertIssues({ config, summary, tags = [], ...texts }: RunUpsert): readonly Issue[] {
  const issues: Issue[] = [];
  for (const [field, text] of Object.entries({ config, summary })) {
    if (text !== undefined && finiteObject(text) === undefined)
      issues.push({ code: "json", path: [field], message: `${field} must be ${OBJECT_TEXT}` });
  }
  for (const [field, text] of Object.entries(texts)) {
    if (text !== undefined && text.length > LONGEST_TEXT)
      issues.push({
        code: "too_large",
        path: [field],
        message: `${field} may have at most ${LONGEST_TEXT} characters`,
      });
  }
  if (tags.length > MOST_TAGS || tags.some((tag) => tag.length > 256))
    issues.push({
      code: "too_large",
      path: ["tags"],
      message: `a run may have at most ${MOST_TAGS} tags of 256 characters`,
    });
  return issues;
}

/** The run of a trained model, created if necessary and then owned by the model. */
export async function modelRun(tracking: TrackingServiceParts, model: Model): Promise<Run> {
  const { entity, project, name, id: modelId, baseModel } = model;
  return untilWritten(async () => {
    const before = await tracking.store.run({ entity, project, name });
    if (before?.modelId === modelId) return before;
    const fresh = newRun(tracking, { entity, project, name });
    // Nothing runs yet, so it counts as finished until a client resumes it.
    const made = { ...fresh, exitCode: 0, config: JSON.stringify({ base_model: { value: baseModel } }) };
    const run: Run = { ...(before ?? made), version: (before?.version ?? 0) + 1, modelId };
    return (await tracking.store.commitRun({ run })) ? run : undefined;
  });
}

/** Stores what a client streams. Undefined if the run does not exist. A repeated update takes effect once. */
export async function streamToRun(
  tracking: TrackingServiceParts,
  name: RunName,
  update: StreamUpdate,
): Promise<Run | undefined> {
  const { streams, summary, exitCode, historyKeys } = update;
  const lines = streams.map(written);
  const changed = await untilWritten(async () => {
    const before = await tracking.store.run(name);
    if (before === undefined) return "missing";
    const { exitCode: _, ...rest } = before;
    const run: Run = {
      ...rest,
      version: before.version + 1,
      heartbeatAt: tracking.now(),
      lines: linesAfter(before, lines),
      lastStep: lastStepAfter(before, lines),
      historyKeys: [...new Set([...keysKept(before, lines), ...historyKeys])].slice(0, MOST_KEYS),
      ...(summary !== undefined && { summary }),
      ...(exitCode !== undefined && { exitCode }),
    };
    return (await tracking.store.commitRun({ run, lines })) ? run : undefined;
  });
  return changed === "missing" ? undefined : changed;
}

/**
 * A history that starts again from the beginning belongs to a restarted run and replaces the old one. Printed lines
 * are sent again from the start whenever one of them changes.
 */
function written({ stream, lines }: StreamLines): WrittenLines {
  return { stream, lines, cutsOff: stream !== "output" && lines[0]!.line === 0 };
}

/** The names to keep: a restarted history replaces them. */
function keysKept({ historyKeys }: Run, written: readonly WrittenLines[]): readonly string[] {
  return written.some(({ stream, cutsOff }) => stream === "history" && cutsOff) ? [] : historyKeys;
}

function linesAfter({ lines: before }: Run, written: readonly WrittenLines[]): Run["lines"] {
  const after = { ...before };
  for (const { stream, lines, cutsOff } of written) {
    const end = lines.at(-1)!.line + 1;
    after[stream] = cutsOff ? end : Math.max(after[stream], end);
  }
  return after;
}

function lastStepAfter({ lastStep }: Run, written: readonly WrittenLines[]): number {
  const history = written.find(({ stream }) => stream === "history");
  if (history === undefined) return lastStep;
  return history.lines.reduce((last, { step }) => Math.max(last, step), history.cutsOff ? -1 : lastStep);
}

/**
 * Stores a file of a run. Undefined if the run does not exist; the issue `digest_mismatch` if `md5` is given and
 * differs.
 */
export async function saveRunFile(
  tracking: TrackingServiceParts,
  run: RunName,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Result<RunFile> | undefined> {
  const issue = pathIssue(name);
  if (issue !== undefined) return bad([issue]);
  if ((await tracking.store.run(run)) === undefined) return undefined;
  const kept = await md5Checked(tracking.artifacts, bytes, undefined);
  if (!kept.ok) return kept;
  const file: RunFile = { name, ...kept.value, updatedAt: tracking.now() };
  const saved = await untilWritten(async () => {
    const before = await tracking.store.run(run);
    if (before === undefined) return "missing";
    const replaced = await tracking.store.runFile(before.id, name);
    const change = { run: { ...before, version: before.version + 1 }, files: [file] };
    return (await tracking.store.commitRun(change)) ? { replaced } : undefined;
  });
  if (saved === "missing") return undefined;
  if (saved.replaced !== undefined) await removeUnused(tracking, [saved.replaced.sha256]);
  return ok(file);
}

const PAGE = 1000;

/** Removes files of a run; names of other files change nothing. */
export async function deleteRunFiles(
  tracking: TrackingServiceParts,
  runId: string,
  names: readonly string[],
): Promise<void> {
  const removed = await untilWritten(async () => {
    const run = await tracking.store.runWithId(runId);
    if (run === undefined) return [];
    const found = await Promise.all(names.map((name) => tracking.store.runFile(runId, name)));
    const change = { run: { ...run, version: run.version + 1 }, removedFiles: names };
    return (await tracking.store.commitRun(change)) ? found : undefined;
  });
  await removeUnused(
    tracking,
    removed.filter((file) => file !== undefined).map(({ sha256 }) => sha256),
  );
}

/** Removes a run with its lines and files. Resolves to whether it existed. */
export async function deleteRun(tracking: TrackingServiceParts, name: RunName): Promise<boolean> {
  const files: string[] = [];
  const gone = await untilWritten(async () => {
    const run = await tracking.store.run(name);
    if (run === undefined) return "missing";
    files.length = 0;
    for (let after: string | undefined; ; ) {
      const page = await tracking.store.runFiles(run.id, {
        ...(after !== undefined && { after }),
        limit: PAGE,
      });
      files.push(...page.map(({ sha256 }) => sha256));
      after = page.at(-1)?.name;
      if (page.length < PAGE) break;
    }
    return (await tracking.store.removeRun(run)) ? "removed" : undefined;
  });
  if (gone === "missing") return false;
  await removeUnused(tracking, files);
  return true;
}

/** Whether anything was ever logged to the project. */
export async function projectExists({ store }: TrackingServiceParts, project: ProjectName): Promise<boolean> {
  return (await store.runCount(project)) > 0 || (await store.collections(project, { limit: 1 })).length > 0;
}
