// A cluster of two shards in one process: ClickHouse's own Distributed tables and table function over two addresses of this
// machine. Both are this process, with the same tables; so that each has rows of its own, the shard is made part of every
// table's key, and a filter gives each address its part.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, SettingsMap } from "@clickhouse/client";
import { type ClickHouse, clickHouse, migrate } from "../src/index.ts";
import { configuredConnection } from "./chdb-connection.mjs";

/** The name of the cluster. */
export const CLUSTER = "two";

/** An open one. */
export interface Cluster {
  readonly clickhouse: ClickHouse;
  /** Statements that made or changed tables, as they were given. */
  readonly commands: readonly string[];
  /** A database of its own, with all tables. */
  database(): Promise<string>;
  close(): Promise<void>;
}

const SHARD = "<shard><internal_replication>true</internal_replication>";

/** Opens one; a process has one ClickHouse. With `replicas` both addresses are replicas of one shard. */
export function openCluster(replicas = false): Cluster {
  const folder = mkdtempSync(join(tmpdir(), "assay-cluster-"));
  const config = join(folder, "config.xml");
  const hosts = ["127.0.0.1", "localhost"].map(
    (host) => `<replica><host>${host}</host><port>9000</port></replica>`,
  );
  const shards = replicas
    ? `${SHARD}${hosts.join("")}</shard>`
    : hosts.map((host) => `${SHARD}${host}</shard>`).join("");
  writeFileSync(
    config,
    `<clickhouse><tcp_port>9000</tcp_port><remote_servers><${CLUSTER}>${shards}</${CLUSTER}></remote_servers>
      <zookeeper><implementation>testkeeper</implementation></zookeeper>
      <macros><shard>1</shard><replica>1</replica></macros></clickhouse>`,
  );
  const filters: Record<string, string> = {};
  const { connection, close } = configuredConnection(join(folder, "data"), config);
  const client = createClient({
    connection,
    clickhouse_settings: { max_threads: 1 },
  });
  const commands: string[] = [];
  const plain = clickHouse(client);
  const databases: string[] = [];
  // Of a table its shard is part of the key: rows on two shards never replace each other.
  let waiting: string | undefined;
  const take = async (sql: string): Promise<void> => {
    commands.push(sql);
    const here = sql.replace(` ON CLUSTER '${CLUSTER}'`, "");
    if (/^CREATE TABLE \S+ \S+ \S+ \S+_local \(/.test(here)) {
      waiting = here;
      return;
    }
    const own = /AS (\S+_local) ENGINE = Distributed\([^,]*,[^,]*,[^,]*, (.*)\)$/.exec(here);
    if (own !== null && waiting !== undefined) {
      const [, name, shardBy] = own as unknown as [string, string, string];
      const key = `(${shardBy}) % 2`;
      await plain.command(
        waiting
          .replace(/ORDER BY \((.*?)\)( SETTINGS|$)/, `ORDER BY (${key}, $1)$2`)
          .replace(/ORDER BY (\w+)$/, `ORDER BY (${key}, $1)`),
      );
      // A text within a text: without its quotes it needs no way to write them.
      filters[name] = `shardNum() = 0 OR ${key} = shardNum() - 1`.replaceAll("'/'", "char(47)");
    }
    await plain.command(here);
  };
  const settings = () => ({ additional_table_filters: SettingsMap.from(filters) });
  return {
    commands,
    clickhouse: {
      ...plain,
      query: (statement, options) => clickHouse(withSettings()).query(statement, options),
      page: (statement, options) => clickHouse(withSettings()).page(statement, options),
      command: replicas
        ? (sql) => {
            commands.push(sql);
            return plain.command(sql.replace(` ON CLUSTER '${CLUSTER}'`, ""));
          }
        : take,
    },
    async database() {
      const name = `d${databases.length}`;
      databases.push(name);
      await migrate(this.clickhouse, name, { cluster: CLUSTER });
      return name;
    },
    async close() {
      await client.close();
      close();
      rmSync(folder, { recursive: true, force: true });
    },
  };

  /** The client, with the filters of the tables that there are by now. */
  function withSettings(): typeof client {
    return new Proxy(client, {
      get(target, name) {
        if (name !== "query") return Reflect.get(target, name) as unknown;
        return (params: Parameters<typeof client.query>[0]) =>
          target.query({ ...params, clickhouse_settings: { ...params.clickhouse_settings, ...settings() } });
      },
    });
  }
}
