// A run for GraphQL clients. A field that requires a read is a function, which is called only when the field is
// requested.

import { isJsonObject } from "@assay/base/internal";
import type { Line, Run } from "@assay/tracking-core";
import {
  metricValue,
  type ProjectName,
  type RunFile,
  runState,
  storedObject,
  storedText,
} from "@assay/tracking-core/internal";
import { GraphQLError } from "graphql";
import { consoleLines } from "../runs/console-lines.ts";
import { textPattern } from "../runs/text-pattern.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { connection, cursorIn, pageSize } from "./connection.ts";
import { missing, type ResolverContext, wireId } from "./resolver-context.ts";
import { projectNumber, time } from "./scalars.ts";

const MOST_SAMPLES = 100_000;
const USUAL_SAMPLES = 500;

/** A run. */
export function runView(asked: ResolverContext, run: Run): object {
  const { tracking } = asked;
  const store = tracking.store;
  return {
    id: wireId("Run", run.id),
    name: run.name,
    displayName: run.displayName,
    description: run.notes ?? null,
    notes: run.notes ?? null,
    state: runState(run, tracking.now()),
    config: storedText(run.config),
    wandbConfig: (raw: unknown) => wandbConfig(run, readArguments(raw, "wandbConfig")),
    summaryMetrics: storedText(run.summary),
    systemMetrics: async () => storedText((await tracking.lastLine(run, "events")) ?? "{}"),
    tags: run.tags,
    group: run.group ?? null,
    jobType: run.jobType ?? null,
    commit: null,
    readOnly: false,
    sweepName: null,
    stopped: false,
    createdAt: time(run.createdAt),
    heartbeatAt: time(run.heartbeatAt),
    user: { id: wireId("User", run.entity), name: run.entity, username: run.entity },
    project: () => asked.views.project(asked, run),
    projectId: String(projectNumber(run)),
    historyLineCount: run.lines.history,
    eventsLineCount: run.lines.events,
    logLineCount: run.lines.output,
    logLines: (raw: unknown) => consoleLines(asked, run, readArguments(raw, "logLines")),
    historyTail: () => tail(asked, run, "history"),
    eventsTail: () => tail(asked, run, "events"),
    historyKeys: () => historyKeys(asked, run),
    history: (raw: unknown) => history(asked, run, readArguments(raw, "history")),
    events: async (raw: unknown) => {
      const samples = samplesOf(readArguments(raw, "events").count("samples"));
      return texts(await tracking.sampledLines(run, { stream: "events", samples }));
    },
    sampledHistory: (raw: unknown) => sampledHistory(asked, run, readArguments(raw, "sampledHistory")),
    // No history is in Parquet files, so clients request its pages instead.
    parquetHistory: { parquetUrls: [], liveData: [] },
    fileCount: async () => (await allFiles(asked, run)).length,
    files: (raw: unknown) => files(asked, run, readArguments(raw, "files")),
    outputArtifacts: async () => {
      const found = await store.artifactsBy(run, MOST_ARTIFACTS);
      return artifactList(
        asked,
        found.map(({ id }) => id),
      );
    },
    inputArtifacts: async () => artifactList(asked, await store.usedBy(run.id)),
  };
}

/** The most artifacts listed for a run. */
const MOST_ARTIFACTS = 1000;

async function artifactList(asked: ResolverContext, ids: readonly string[]): Promise<object> {
  const found = await Promise.all(ids.slice(0, MOST_ARTIFACTS).map((id) => asked.tracking.artifact(id)));
  const visible = found
    .filter((one) => one !== undefined)
    .filter(({ collection }) => asked.principal.allows(collection.entity, collection.project));
  return {
    ...connection(visible, MOST_ARTIFACTS, {
      node: (one) => asked.views.artifact(asked, one),
      cursorOf: ({ artifact }) => ({ id: artifact.id }),
    }),
    totalCount: visible.length,
  };
}

/** Some of what the client itself adds to the configuration. */
function wandbConfig({ config }: Run, args: Arguments): string {
  const own = (storedObject(config) as { _wandb?: { value?: unknown } })._wandb?.value;
  const value = isJsonObject(own) ? own : {};
  return JSON.stringify(Object.fromEntries(args.texts("keys").map((key) => [key, value[key] ?? 1])));
}

/** The lines in which the types of metrics are counted, and their last values are found. */
const TYPED_LINES = 100;

async function historyKeys({ tracking }: ResolverContext, run: Run): Promise<object> {
  const sample = await tracking.sampledLines(run, { stream: "history", samples: TYPED_LINES });
  const lines = sample.map(({ text }) => storedObject(text));
  const described = (key: string) => {
    const values = lines.map((line) => metricValue(line, key)).filter((value) => value !== undefined);
    const counts = new Map<string, number>();
    for (const type of values.map(typeOf)) counts.set(type, (counts.get(type) ?? 0) + 1);
    const typeCounts = [...counts].map(([type, count]) => ({ type, count }));
    return { typeCounts, previousValue: values.at(-1) };
  };
  const keys = run.historyKeys.map((key) => [key, described(key)] as const);
  return { lastStep: run.lastStep, keys: Object.fromEntries(keys) };
}

/** The stored form of numbers that JSON cannot express. */
const NUMBERS: readonly unknown[] = ["NaN", "Infinity", "-Infinity"];

/** A type in W&B's terms: media objects contain the name of theirs. */
function typeOf(value: unknown): string {
  if (value === null) return "nil";
  if (NUMBERS.includes(value)) return "number";
  if (Array.isArray(value)) return "list";
  if (isJsonObject(value)) return typeof value["_type"] === "string" ? value["_type"] : "map";
  return typeof value;
}

async function tail({ tracking }: ResolverContext, run: Run, stream: "history" | "events"): Promise<string> {
  const last = await tracking.lastLine(run, stream);
  return JSON.stringify(last === undefined ? [] : [storedText(last)]);
}

async function history({ tracking }: ResolverContext, run: Run, args: Arguments): Promise<readonly string[]> {
  const samples = samplesOf(args.count("samples"));
  const [minStep, maxStep] = [args.count("minStep"), args.count("maxStep")];
  if (minStep === undefined && maxStep === undefined)
    return texts(await tracking.sampledLines(run, { stream: "history", samples }));
  const range = { minStep: minStep ?? 0, maxStep: maxStep ?? Number.MAX_SAFE_INTEGER, limit: samples };
  return texts(await tracking.historyRange(run, range));
}

/** For each spec the lines that have all of its keys: all of them if it has steps, else a sample. */
async function sampledHistory(
  { tracking }: ResolverContext,
  run: Run,
  args: Arguments,
): Promise<readonly unknown[]> {
  const specs = args.texts("specs");
  if (specs.length > 20) throw new GraphQLError("sampledHistory accepts at most 20 specs");
  const answers: unknown[] = [];
  for (const text of specs) {
    const spec = readArguments(parsed(text), "spec");
    const keys = spec.texts("keys");
    const [minStep, maxStep] = [spec.count("minStep"), spec.count("maxStep")];
    const samples = samplesOf(spec.count("samples"));
    const lines =
      minStep === undefined && maxStep === undefined
        ? await tracking.sampledLines(run, { stream: "history", samples, keys })
        : // Here, unlike in pages of the history, the last step is inclusive.
          await tracking.historyRange(run, {
            minStep: minStep ?? 0,
            maxStep: (maxStep ?? Number.MAX_SAFE_INTEGER - 1) + 1,
            limit: spec.count("samples") === undefined ? MOST_SAMPLES : samples,
            keys,
          });
    answers.push(lines.map((line) => some(line, keys)));
  }
  return answers;
}

function some({ text }: Line, keys: readonly string[]): unknown {
  const value = storedObject(text);
  return keys.length === 0 ? value : Object.fromEntries(keys.map((key) => [key, metricValue(value, key)]));
}

/** The characters of a spec with thousands of keys. */
const LONGEST_SPEC = 200_000;

function parsed(text: string): unknown {
  if (text.length > LONGEST_SPEC)
    throw new GraphQLError(`a spec may have at most ${LONGEST_SPEC} characters`);
  try {
    return JSON.parse(text);
  } catch {
    throw new GraphQLError("a spec must be JSON");
  }
}

function samplesOf(samples: number | undefined): number {
  return Math.min(samples ?? USUAL_SAMPLES, MOST_SAMPLES);
}

function texts(lines: readonly Line[]): readonly string[] {
  return lines.map(({ text }) => storedText(text));
}

const PAGE = 1000;

async function allFiles({ tracking }: ResolverContext, run: Run, from?: string): Promise<readonly RunFile[]> {
  const found: RunFile[] = [];
  for (;;) {
    const after = found.at(-1)?.name ?? from;
    const page = await tracking.store.runFiles(run.id, {
      ...(after !== undefined && { after }),
      limit: PAGE,
    });
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

/** The most files that are requested by name. */
const MOST_NAMES = 5000;

async function files(asked: ResolverContext, run: Run, args: Arguments): Promise<object> {
  // Clients name a file as they saved it, which can be relative to the working directory.
  const names = args.texts("names").map((name) => name.replace(/^(\.\/)+/, ""));
  const pattern = args.text("pattern");
  if (names.length > MOST_NAMES) throw new GraphQLError(`at most ${MOST_NAMES} file names per request`);
  if (names.length > 0 && pattern !== undefined)
    throw new GraphQLError("files are selected by names or by a pattern, not by both");
  const size = Math.max(pageSize(args.count("first")), names.length);
  const cursor = cursorIn(args)?.["name"];
  const after = typeof cursor === "string" ? cursor : undefined;
  const { store } = asked.tracking;
  const found =
    names.length > 0
      ? (await Promise.all(names.map((name) => store.runFile(run.id, name)))).filter(
          (one) => one !== undefined,
        )
      : pattern === undefined
        ? await store.runFiles(run.id, { ...(after !== undefined && { after }), limit: size + 1 })
        : (await allFiles(asked, run, after)).filter(like(pattern)).slice(0, size + 1);
  return connection(found, size, {
    node: (file) => runFileView(asked, run, file),
    cursorOf: ({ name }) => ({ name }),
  });
}

/** Whether the name of a file is like a pattern of SQL, where `%` is any text and `_` any character. */
function like(pattern: string): (file: RunFile) => boolean {
  const characters = [...pattern].map((one) =>
    one === "%" ? ".*" : one === "_" ? "." : /[\p{L}\d]/u.test(one) ? one : `\\${one}`,
  );
  const matches = textPattern(`^${characters.join("")}$`);
  if (matches === undefined) throw new GraphQLError("files.pattern is too long");
  return ({ name }) => matches(name);
}

function runFileView(
  asked: ResolverContext,
  run: Run,
  { name, sha256, md5, size, updatedAt }: RunFile,
): object {
  const address = asked.address({ get: sha256, size, file: name });
  return {
    id: wireId("File", `${run.id}:${name}`),
    name,
    displayName: name,
    url: address,
    directUrl: address,
    sizeBytes: size,
    mimetype: null,
    updatedAt: time(updatedAt),
    md5: Buffer.from(md5, "hex").toString("base64"),
    digest: Buffer.from(md5, "hex").toString("base64"),
  };
}

/** The run with this name in a project; throws if it does not exist. */
export async function neededRun(
  { tracking }: ResolverContext,
  project: ProjectName,
  name: string,
): Promise<Run> {
  return (await tracking.store.run({ ...project, name })) ?? missing("run");
}
