// Talks to ClickHouse; no other file does: statements with bound parameters, lines to insert, and failures as faults.

import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { Fault, type FaultCode } from "@assay/base";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";

/** A statement: its text, which contains no value from outside, and its parameters. */
export interface Statement {
  /** The text, with a placeholder `{name:Type}` for each parameter. */
  readonly sql: string;
  /** The values of the placeholders. */
  readonly params: { readonly [name: string]: unknown };
}

/** Rows of an answer, each a list of values in the order of the columns. */
export type ResultRows = readonly (readonly unknown[])[];

/** Columns of an answer, by name. */
export interface Columns {
  /** The values of a column, one per row. */
  readonly [name: string]: readonly unknown[];
}

/** How to run a statement. */
export interface RunOptions {
  /** Ends the statement, also on the server. */
  readonly signal?: AbortSignal | undefined;
  /** The most bytes of the answer, which is held in memory; a larger one fails with `exhausted`. Default 512 MiB. */
  readonly answerBytes?: number | undefined;
}

/** The limits of one query on the server. */
export interface QueryLimits {
  /** In seconds; then the query fails with `timeout`. Default 60. */
  readonly seconds?: number;
  /** Bytes of memory; then it fails with `exhausted`. Default: the server's limit. */
  readonly memory?: number;
}

/** A ClickHouse database. Failures are thrown as a `Fault`. */
export interface ClickHouse {
  /** The rows of a query. */
  query(statement: Statement, options?: RunOptions): Promise<ResultRows>;
  /** The columns of a query by their names, each with the values of all rows. */
  columns(statement: Statement, options?: RunOptions): Promise<Columns>;
  /** The rows of a query with a LIMIT, and their number before it. */
  page(
    statement: Statement,
    options?: RunOptions,
  ): Promise<{ readonly rows: ResultRows; readonly before: number }>;
  /** Inserts rows, each a JSON object on one line. All are visible when it resolves. */
  insert(table: string, lines: readonly string[]): Promise<void>;
  /** Runs a statement without a result. */
  command(sql: string): Promise<void>;
  /**
   * Changes rows or settings of a table. When it resolves, it is done on every server of a cluster, however long that
   * takes.
   */
  change(statement: Statement): Promise<void>;
}

const ANSWER_BYTES = 512 * 2 ** 20;

// Settings with fixed values, so that answers do not depend on the server's defaults.
const ALWAYS: ClickHouseSettings = {
  join_use_nulls: 0,
  transform_null_in: 0,
  aggregate_functions_null_for_empty: 0,
  output_format_json_quote_64bit_integers: 1,
  // Otherwise a failure after the first rows closes the connection without a reason.
  wait_end_of_query: 1,
  result_overflow_mode: "throw",
  // Without the rows of a shard, the answer would be wrong.
  skip_unavailable_shards: 0,
  // A query of the language may be long: ten thousand literals.
  max_query_size: String(64 * 1024 * 1024),
  max_ast_elements: "5000000",
  max_expanded_ast_elements: "5000000",
  max_ast_depth: "10000",
  max_parser_depth: "10000",
};

const INSERT: ClickHouseSettings = {
  // Otherwise the last digit of a number may be lost.
  precise_float_parsing: 1,
  input_format_json_read_numbers_as_strings: 0,
  // A replica must have the rows that another one has just received.
  insert_quorum: "auto",
  // Inserts are never retried, and two equal inserts must both count, for example when they increment a counter.
  insert_deduplicate: 0,
  // On a cluster, the rows are on their shards when it resolves.
  distributed_foreground_insert: 1,
};

// Every server waits for itself and for its replicas.
const CHANGE: ClickHouseSettings = {
  ...ALWAYS,
  mutations_sync: "2",
  alter_sync: "2",
  distributed_ddl_task_timeout: "-1",
};

/** Statements over an open client, which the caller closes. */
export function clickHouse(client: ClickHouseClient, limits: QueryLimits = {}): ClickHouse {
  const settings: ClickHouseSettings = {
    ...ALWAYS,
    max_execution_time: limits.seconds ?? 60,
    timeout_overflow_mode: "throw",
    ...(limits.memory === undefined ? {} : { max_memory_usage: String(limits.memory) }),
  };

  const run = async <T>(
    { sql, params }: Statement,
    { signal, answerBytes = ANSWER_BYTES }: RunOptions,
    extra: ClickHouseSettings,
    format: "JSONCompact" | "JSONColumnsWithMetadata" = "JSONCompact",
  ) => {
    if (isAborted(signal)) throw cancelled();
    const query_id = randomUUID();
    const kill = (): void => {
      // Closing the connection is not enough: without KILL QUERY, the server may continue computing.
      const kill = client.command({
        query: "KILL QUERY WHERE query_id = {id:String} ASYNC",
        query_params: { id: query_id },
      });
      kill.catch(() => undefined);
    };
    signal?.addEventListener("abort", kill, { once: true });
    try {
      const result = await client.query({
        query: sql,
        query_params: { ...params },
        query_id,
        format,
        clickhouse_settings: { ...settings, max_result_bytes: String(answerBytes), ...extra },
        ...(signal === undefined ? {} : { abort_signal: signal }),
      });
      return (await result.json()) as unknown as T;
    } catch (error) {
      throw isAborted(signal) ? cancelled(error) : faultOf(error);
    } finally {
      signal?.removeEventListener("abort", kill);
    }
  };

  return {
    async query(statement, options = {}) {
      const { data } = await run<{ readonly data: ResultRows }>(statement, options, {});
      return data;
    },
    async columns(statement, options = {}) {
      const { data } = await run<{ readonly data: Columns }>(
        statement,
        options,
        {},
        "JSONColumnsWithMetadata",
      );
      return data;
    },
    async page(statement, options = {}) {
      const answer = await run<{ readonly data: ResultRows; readonly rows_before_limit_at_least: number }>(
        statement,
        options,
        { exact_rows_before_limit: 1 },
      );
      return { rows: answer.data, before: Number(answer.rows_before_limit_at_least) };
    },
    async insert(table, lines) {
      if (lines.length === 0) return;
      try {
        const { stream } = await client.exec({
          query: `INSERT INTO ${table} FORMAT JSONEachRow`,
          values: Readable.from(piecesOf(lines), { objectMode: false }),
          clickhouse_settings: INSERT,
        });
        stream.resume();
        await new Promise<void>((resolve, reject) => {
          stream.once("end", resolve).once("error", reject).once("close", resolve);
        });
      } catch (error) {
        throw faultOf(error);
      }
    },
    async change({ sql, params }) {
      try {
        await client.command({ query: sql, query_params: { ...params }, clickhouse_settings: CHANGE });
      } catch (error) {
        throw faultOf(error);
      }
    },
    async command(sql) {
      try {
        await client.command({ query: sql });
      } catch (error) {
        throw faultOf(error);
      }
    },
  };
}

/** Large chunks, because each separate line would become a separate packet. */
function* piecesOf(lines: readonly string[]): Generator<Buffer> {
  const most = 1024 * 1024;
  let piece: string[] = [];
  let size = 0;
  for (const line of lines) {
    piece.push(line);
    size += line.length;
    if (size < most) continue;
    yield Buffer.from(`${piece.join("\n")}\n`);
    piece = [];
    size = 0;
  }
  if (piece.length > 0) yield Buffer.from(`${piece.join("\n")}\n`);
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function cancelled(cause?: unknown): Fault {
  return new Fault("cancelled", "the query was cancelled", { cause });
}

// The server's error codes with a meaning for callers; all others are a failure of this program or of the server.
const NO_KEEPER: readonly [FaultCode, string] = [
  "missing",
  "the ClickHouse server does not accept statements ON CLUSTER: they need a keeper and distributed_ddl in its configuration",
];
const BROKEN_OFF: readonly [FaultCode, string] = [
  "unavailable",
  "a server of the ClickHouse cluster stopped in the middle of its answer",
];
const LONG_ANSWER: readonly [FaultCode, string] = [
  "exhausted",
  "ClickHouse's answer exceeds the memory limit; query less data at a time",
];
const CODES: ReadonlyMap<string, readonly [FaultCode, string]> = new Map([
  ["159", ["timeout", "ClickHouse cancelled the query after its time limit"]],
  ["160", ["timeout", "ClickHouse expects the query to take longer than its time limit"]],
  ["241", ["exhausted", "the query needs more memory than ClickHouse allows"]],
  ["396", LONG_ANSWER],
  // Reported here: the answer is longer than a text can be.
  ["ERR_STRING_TOO_LONG", LONG_ANSWER],
  ["243", ["exhausted", "ClickHouse has no room on its disk"]],
  ["202", ["overloaded", "ClickHouse already runs as many queries as it allows"]],
  [
    "252",
    ["overloaded", "ClickHouse has too many parts to merge: writes arrive faster than it can merge them"],
  ],
  ["139", NO_KEEPER],
  ["225", NO_KEEPER],
  ["392", NO_KEEPER],
  ["999", ["unavailable", "the keeper of the ClickHouse cluster does not answer"]],
  ["32", BROKEN_OFF],
  ["210", BROKEN_OFF],
  ["279", ["unavailable", "a server of the ClickHouse cluster does not answer"]],
  ["394", ["cancelled", "the query was cancelled in ClickHouse"]],
  ["164", ["denied", "the ClickHouse user is read-only"]],
  ["192", ["denied", "ClickHouse does not know this user"]],
  ["193", ["denied", "ClickHouse rejected the password"]],
  ["194", ["denied", "ClickHouse requires a password"]],
  ["497", ["denied", "the ClickHouse user lacks a privilege"]],
  ["516", ["denied", "ClickHouse rejected the user or the password"]],
  ["60", ["missing", 'a table is missing; run "assay clickhouse migrate"']],
  ["81", ["missing", 'the database is missing; run "assay clickhouse migrate"']],
]);

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const code = codeOf(error);
  const known = code === undefined ? undefined : CODES.get(code);
  if (known !== undefined) return new Fault(known[0], known[1], { cause: error });
  const what = code === undefined ? "ClickHouse does not answer" : `ClickHouse failed with its error ${code}`;
  return new Fault("unavailable", what, { cause: error });
}

/**
 * The known code of an error, or the server's own. Not detected by class, because connections of other packages have
 * their own class.
 */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "string" && (CODES.has(code) || /^[0-9]+$/.test(code)) ? code : undefined;
}

/** Whether a query failed because its answer is too long. */
export function isLongAnswer(error: unknown): boolean {
  return error instanceof Fault && error.message === LONG_ANSWER[1];
}
