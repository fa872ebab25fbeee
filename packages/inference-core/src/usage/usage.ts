// Usage: the tokens of a request, and reports over many requests. Pure: records are stored by a port.

/** How a request ended: complete, or broken off by the client or by the engine. */
export type UsageOutcome = "complete" | "aborted" | "failed";

/** The usage of one request. There is one for each request that reached an engine, however it ended. */
export interface UsageRecord {
  /** The completion's id. */
  readonly id: string;
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
  /** The entity it counts for. */
  readonly entity: string;
  /** The project of that entity. */
  readonly project: string;
  /** The id of the API key. */
  readonly key: string;
  /** The end user, from the request's `user`; null without one. */
  readonly user: string | null;
  /** The catalogue ID, or the trained model's name without its version. */
  readonly model: string;
  /** The trained model's step; null for a model of the catalogue. */
  readonly step: number | null;
  /** Whether it was streamed. */
  readonly streamed: boolean;
  /** How it ended. */
  readonly outcome: UsageOutcome;
  /** Tokens of the request; 0 if the engine never read it. */
  readonly promptTokens: number;
  /** Those that the engine reports as cached (`prompt_tokens_details.cached_tokens`). Default 0. */
  readonly cachedTokens?: number;
  /** Tokens that the engine generated, as far as known. */
  readonly generatedTokens: number;
  /** Those that were delivered to the client. */
  readonly deliveredTokens: number;
  /**
   * Whether the engine counted; otherwise the tokens are counted as they arrive, and those of the prompt estimated.
   */
  readonly counted: "engine" | "estimate";
}

/** The dimensions that a report can be broken down by. Every report is by entity and project. */
export type UsageDimension = "model" | "step" | "key" | "user" | "day" | "month";

/** Which records a report covers, and how it is broken down. */
export interface UsageQuery {
  /** Only this entity. */
  readonly entity?: string;
  /** Only projects with this name. */
  readonly project?: string;
  /** Only this model. */
  readonly model?: string;
  /** Only this step. */
  readonly step?: number;
  /** Only the key with this ID. */
  readonly key?: string;
  /** Only this end user. */
  readonly user?: string;
  /** The first day, `YYYY-MM-DD` in UTC. */
  readonly from?: string;
  /** The last day, inclusive. */
  readonly to?: string;
  /** Default: none. */
  readonly by?: readonly UsageDimension[];
}

/** A sum of records. Dimensions that the report is not broken down by are absent. */
export interface UsageRow {
  /** The entity it counts for. */
  readonly entity: string;
  /** The project of that entity. */
  readonly project: string;
  /** As in the records. */
  readonly model?: string;
  /** As in the records. */
  readonly step?: number | null;
  /** The id of the API key. */
  readonly key?: string;
  /** The end user. */
  readonly user?: string | null;
  /** `YYYY-MM` in UTC. */
  readonly month?: string;
  /** `YYYY-MM-DD` in UTC. */
  readonly day?: string;
  /** The number of requests. */
  readonly requests: number;
  /** How many of them clients broke off. */
  readonly aborted: number;
  /** How many of them engines broke off. */
  readonly failed: number;
  /** Tokens of requests. */
  readonly promptTokens: number;
  /** Those that engines had cached. */
  readonly cachedTokens: number;
  /** Tokens that engines generated. */
  readonly generatedTokens: number;
  /** Tokens that were delivered to clients. */
  readonly deliveredTokens: number;
  /** How many of the requests were not counted by their engine. */
  readonly estimated: number;
}

/** The dimensions, in the order in which rows are sorted by them. */
export const USAGE_DIMENSIONS: readonly UsageDimension[] = ["month", "day", "model", "step", "key", "user"];

/**
 * The report on `records` that `query` requests. Rows are sorted by entity, project and `USAGE_DIMENSIONS`; text by
 * its UTF-16 units, null first.
 */
export function reportUsage(records: Iterable<UsageRecord>, query: UsageQuery): readonly UsageRow[] {
  const dimensions = USAGE_DIMENSIONS.filter((dimension) => query.by?.includes(dimension));
  const rows = new Map<string, UsageRow>();
  for (const record of records) {
    if (!isAbout(record, query)) continue;
    const group = groupOf(record, dimensions);
    const name = JSON.stringify(group);
    rows.set(name, sum(rows.get(name) ?? { ...group, ...NOTHING }, record));
  }
  return [...rows.values()].sort(compareUsageRows);
}

/** The day of a time, `YYYY-MM-DD` in UTC. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

const NOTHING = {
  requests: 0,
  aborted: 0,
  failed: 0,
  promptTokens: 0,
  cachedTokens: 0,
  generatedTokens: 0,
  deliveredTokens: 0,
  estimated: 0,
};

function isAbout(record: UsageRecord, query: UsageQuery): boolean {
  const same = (["entity", "project", "model", "step", "key", "user"] as const).every(
    (field) => query[field] === undefined || query[field] === record[field],
  );
  const day = dayOf(record.at);
  return (
    same && (query.from === undefined || day >= query.from) && (query.to === undefined || day <= query.to)
  );
}

type Group = Pick<UsageRow, "entity" | "project" | UsageDimension>;

function groupOf(record: UsageRecord, dimensions: readonly UsageDimension[]): Group {
  const { entity, project } = record;
  const day = dayOf(record.at);
  const values = { ...record, day, month: day.slice(0, "YYYY-MM".length) };
  return { entity, project, ...Object.fromEntries(dimensions.map((name) => [name, values[name]])) };
}

function sum(row: UsageRow, record: UsageRecord): UsageRow {
  return {
    ...row,
    requests: row.requests + 1,
    aborted: row.aborted + Number(record.outcome === "aborted"),
    failed: row.failed + Number(record.outcome === "failed"),
    promptTokens: row.promptTokens + record.promptTokens,
    cachedTokens: row.cachedTokens + (record.cachedTokens ?? 0),
    generatedTokens: row.generatedTokens + record.generatedTokens,
    deliveredTokens: row.deliveredTokens + record.deliveredTokens,
    estimated: row.estimated + Number(record.counted === "estimate"),
  };
}

/** Orders the rows of one report as `reportUsage` does. */
export function compareUsageRows(a: UsageRow, b: UsageRow): number {
  for (const field of ["entity", "project", ...USAGE_DIMENSIONS] as const) {
    const order = compareValues(a[field] ?? null, b[field] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

function compareValues(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}
