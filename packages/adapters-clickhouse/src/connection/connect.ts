// Opens a connection to the address that an operator configured.

import { Fault } from "@assay/base";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { type ClickHouse, clickHouse, type QueryLimits } from "./clickhouse.ts";

/** An open connection to one database. */
export interface Connection {
  /** Statements to it. */
  readonly clickhouse: ClickHouse;
  /** The database. */
  readonly database: string;
  /** Host and database for people, without user and password. */
  readonly where: string;
  /** The most trials for answers in this process, if the address sets it. */
  readonly inProcessTrials: number | undefined;
  /** Closes it. */
  close(): Promise<void>;
}

/**
 * Connects to `clickhouse://user:password@host:8123/database` (`clickhouses://` with TLS), with the port of
 * ClickHouse's HTTP interface and the default database `assay`. After a `?` the address may set `max_execution_time`
 * (seconds) and `max_memory_usage` (bytes) of one statement, which take precedence over `limits`, and
 * `in_process_trials`. It sends nothing to the server yet. Throws a `missing` fault for an invalid address.
 */
export function connectClickHouse(address: string, limits: QueryLimits = {}): Connection {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^clickhouses?:$/.test(url.protocol) || url.hostname === "") {
    throw new Fault(
      "missing",
      "a ClickHouse store is written as clickhouse://user:password@host:8123/database, or clickhouses:// with TLS",
    );
  }
  const secure = url.protocol === "clickhouses:";
  const port = url.port === "" ? (secure ? "8443" : "8123") : url.port;
  const database = decodeURIComponent(url.pathname.slice(1)) || "assay";
  const { max_execution_time, max_memory_usage, in_process_trials } = settingsOf(url);
  const seconds = max_execution_time ?? limits.seconds ?? 60;
  const memory = max_memory_usage ?? limits.memory;
  const client = createClient({
    url: `${secure ? "https" : "http"}://${url.hostname}:${port}`,
    ...(url.username === "" ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === "" ? {} : { password: decodeURIComponent(url.password) }),
    application: "assay",
    // Errors are thrown, and the caller reports them.
    log: { level: ClickHouseLogLevel.OFF },
    // The server enforces the limit; the connection waits a little longer to learn the reason.
    request_timeout: (seconds + 30) * 1000,
    // A filter may have more literals than a URL can hold.
    use_multipart_params_auto: true,
  });
  return {
    clickhouse: clickHouse(client, { seconds, ...(memory === undefined ? {} : { memory }) }),
    database,
    inProcessTrials: in_process_trials,
    where: `${url.protocol}//${url.hostname}:${port}/${database}`,
    close: () => client.close(),
  };
}

const SETTINGS = ["max_execution_time", "max_memory_usage", "in_process_trials"] as const;

type Settings = Partial<Record<(typeof SETTINGS)[number], number>>;

/** The settings after the `?` of an address. */
function settingsOf(url: URL): Readonly<Settings> {
  const settings: Settings = {};
  for (const [given, value] of url.searchParams) {
    const name = SETTINGS.find((one) => one === given);
    // A time limit of 0 means none in ClickHouse.
    if (
      name === undefined ||
      !/^\d{1,15}$/.test(value) ||
      (name !== "in_process_trials" && Number(value) === 0)
    ) {
      throw new Fault(
        "missing",
        `"${given}=${value}" is not a setting of a ClickHouse store; settings are ${SETTINGS.join(", ")}, each a whole number`,
      );
    }
    settings[name] = Number(value);
  }
  return settings;
}
