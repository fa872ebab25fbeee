// Opens a connection by its address, as an operator writes it.

import { Fault } from "@assay/base";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { type ClickHouse, clickHouse, type QueryLimits } from "./clickhouse.ts";

/** An open connection to one database. */
export interface Connection {
  /** Statements to it. */
  readonly clickhouse: ClickHouse;
  /** The database. */
  readonly database: string;
  /** Host and database, without user and password: for people. */
  readonly where: string;
  /** Closes it. */
  close(): Promise<void>;
}

/**
 * Connects to `clickhouse://user:password@host:8123/database` (`clickhouses://` with TLS): the port of ClickHouse's HTTP
 * interface; the database is `assay` when none is named. Nothing is asked of the server yet. Throws a `missing` fault
 * when the address is none.
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
  const client = createClient({
    url: `${secure ? "https" : "http"}://${url.hostname}:${port}`,
    ...(url.username === "" ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === "" ? {} : { password: decodeURIComponent(url.password) }),
    application: "assay",
    // What fails is thrown: it is the caller's to say.
    log: { level: ClickHouseLogLevel.OFF },
    // The server stops on its own; the connection waits a little longer to hear why.
    request_timeout: ((limits.seconds ?? 60) + 30) * 1000,
    // A filter may have more literals than an address can hold.
    use_multipart_params_auto: true,
  });
  return {
    clickhouse: clickHouse(client, limits),
    database,
    where: `${url.protocol}//${url.hostname}:${port}/${database}`,
    close: () => client.close(),
  };
}
