// A cluster of two shards: two ClickHouse servers in separate processes that know each other as the cluster "two" and
// communicate over TCP. Without a keeper they have no queue of ON CLUSTER statements, so such a statement is sent to
// each of them.

import { freePorts, type Server, startServer } from "@assay/testing/clickhouse-server.mjs";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { type ClickHouse, clickHouse, migrateClickHouse } from "../src/index.ts";

/** The name of the cluster. */
export const CLUSTER = "two";

/** A shard of the cluster. */
interface Shard {
  readonly server: Server;
  /** Sends statements to that server, which may query the other shard. Sends ON CLUSTER statements to all servers. */
  readonly clickhouse: ClickHouse;
  /** Sends statements to that server unchanged. */
  readonly plain: ClickHouse;
}

/** A running cluster. */
export interface Cluster {
  readonly shards: readonly [Shard, Shard];
  /** The statements that created or changed tables, unchanged. */
  readonly commands: readonly string[];
  /** Creates a database with all tables. */
  database(): Promise<string>;
  close(): Promise<void>;
}

// Profile settings that would change answers if statements did not override them. Tests send thousands of small
// queries, for which threads only cost time.
const PROFILE = `<max_threads>1</max_threads>
  <skip_unavailable_shards>1</skip_unavailable_shards>
  <distributed_foreground_insert>0</distributed_foreground_insert>
  <join_use_nulls>1</join_use_nulls>
  <transform_null_in>1</transform_null_in>
  <aggregate_functions_null_for_empty>1</aggregate_functions_null_for_empty>`;

/** Starts the servers with these users and this additional configuration. */
export async function openCluster({
  users = [],
  config = "",
}: {
  readonly users?: readonly string[];
  readonly config?: string;
} = {}): Promise<Cluster> {
  const ports = [await freePorts(), await freePorts()];
  const addresses = ports.map(({ tcp }) => `<replica><host>127.0.0.1</host><port>${tcp}</port></replica>`);
  const known = addresses
    .map((address) => `<shard><internal_replication>true</internal_replication>${address}</shard>`)
    .join("");
  const servers = await Promise.all(
    ports.map((own) =>
      startServer({
        ports: own,
        config: `<remote_servers><${CLUSTER}>${known}</${CLUSTER}></remote_servers>${config}`,
        profile: PROFILE,
        users,
      }),
    ),
  );
  const clients = servers.map(({ url }) => createClient({ url, log: { level: ClickHouseLogLevel.OFF } }));
  const commands: string[] = [];
  const onCluster = ` ON CLUSTER '${CLUSTER}'`;
  const statements = clients.map((client) => clickHouse(client));
  const shards = servers.map((server, at): Shard => {
    const plain = statements[at]!;
    return {
      server,
      plain,
      clickhouse: {
        ...plain,
        async command(sql) {
          commands.push(sql);
          if (!sql.includes(onCluster)) await plain.command(sql);
          else for (const one of statements) await one.command(sql.replace(onCluster, ""));
        },
      },
    };
  }) as unknown as [Shard, Shard];
  let databases = 0;
  return {
    shards,
    commands,
    async database() {
      const name = `d${databases++}`;
      await migrateClickHouse(shards[0].clickhouse, name, { cluster: CLUSTER });
      return name;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
