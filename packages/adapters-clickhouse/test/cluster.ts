// A cluster of two shards: two ClickHouse servers, each a process of its own, that know each other as the cluster "two" and
// speak over TCP. These servers have no queue of statements ON CLUSTER, as servers with a keeper do: such a statement is put
// to each of them.

import { freePorts, type Server, startServer } from "@assay/testing/clickhouse-server.mjs";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { type ClickHouse, clickHouse, migrateClickHouse } from "../src/index.ts";

/** The name of the cluster. */
export const CLUSTER = "two";

/** One shard of it. */
interface Shard {
  /** Its server. */
  readonly server: Server;
  /** Statements to that server, whichever shards it asks in turn; those ON CLUSTER to all. */
  readonly clickhouse: ClickHouse;
  /** Statements to that server as they are. */
  readonly plain: ClickHouse;
}

/** An open one. */
export interface Cluster {
  readonly shards: readonly [Shard, Shard];
  /** Statements that made or changed tables, as they were given. */
  readonly commands: readonly string[];
  /** A database of its own, with all tables. */
  database(): Promise<string>;
  close(): Promise<void>;
}

// What a profile may say that would change answers, if statements did not say better; and, since tests ask thousands of
// small questions, that they are answered without threads, which only cost time.
const PROFILE = `<max_threads>1</max_threads>
  <skip_unavailable_shards>1</skip_unavailable_shards>
  <distributed_foreground_insert>0</distributed_foreground_insert>
  <join_use_nulls>1</join_use_nulls>
  <transform_null_in>1</transform_null_in>
  <aggregate_functions_null_for_empty>1</aggregate_functions_null_for_empty>`;

/** Starts its servers, with these users and this configuration besides. */
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
