// The rights documented in docs/how-to/clickhouse.md suffice, and without each of them its purpose fails. The server
// enforces every optional right.

import { createEvalEngine } from "@assay/eval-engine";
import { pushedExecution } from "@assay/eval-engine/pushed";
import { noServer, type Server, startServer, userOf } from "@assay/testing/clickhouse-server.mjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Connection, connectClickHouse } from "../src/connection/connect.ts";
import { type ClickHouse, clickHouseStore, migrateClickHouse } from "../src/index.ts";
import { checkSchema } from "../src/migrate.ts";
import { CLUSTER, type Cluster, openCluster } from "./cluster.ts";
import { whole } from "./whole.ts";

// The rights on a database. The names identify the missing right in a case.
const MIGRATION = {
  CREATE: (database: string) => `CREATE ON ${database}.*`,
  ALTER: (database: string) => `ALTER ON ${database}.*`,
  SELECT: (database: string) => `SELECT ON ${database}.*`,
  INSERT: (database: string) => `INSERT ON ${database}.*`,
  "TABLE ENGINE": () => "TABLE ENGINE ON *",
} as const;
const SERVICE = {
  SELECT: MIGRATION.SELECT,
  INSERT: MIGRATION.INSERT,
  "SELECT ON system.processes": () => "SELECT ON system.processes",
} as const;
const CLUSTERED = { ...SERVICE, REMOTE: () => "REMOTE ON *.*" } as const;

type Rights = Readonly<Record<string, (database: string) => string>>;

/**
 * The users of the cases: the first has all rights, and each other user lacks one of them. Each has its own database.
 */
function usersOf(kind: string, rights: Rights, database: (at: number) => string): readonly string[] {
  return [undefined, ...Object.keys(rights)].map((without, at) => {
    const granted = Object.entries(rights).filter(([right]) => right !== without);
    return userOf(
      `${kind}${at}`,
      granted.map(([, grant]) => grant(database(at))),
    );
  });
}

const ASKS_FOR_ALL = `<access_control_improvements>
  <table_engines_require_grant>true</table_engines_require_grant>
  <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
  <on_cluster_queries_require_cluster_grant>true</on_cluster_queries_require_cluster_grant>
  </access_control_improvements>`;

const P = "acme/demo";
const BODY = { evaluation_call_ids: ["e"], include_summary: true };
const CALLS = ["t1", "t2"].map((id) =>
  whole({
    id,
    parent_id: "e",
    op_name: "Evaluation.predict_and_score",
    inputs: { example: { q: id } },
    output: { scores: { s: 1 } },
  }),
);
const DENIED = { code: "denied", message: "the ClickHouse user lacks a privilege" };

describe.skipIf(noServer !== undefined)("a user with few rights", () => {
  let server: Server;
  const connections: Connection[] = [];

  beforeAll(async () => {
    const owners = usersOf("owner", MIGRATION, (at) => `owned${at}`);
    const servers = usersOf("server", SERVICE, () => "assay");
    server = await startServer({ users: [...owners, ...servers], config: ASKS_FOR_ALL });
    await migrateClickHouse(as("default"), "assay");
  });

  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await server.stop();
  });

  function as(name: string): ClickHouse {
    const connection = connectClickHouse(`clickhouse://${name}@127.0.0.1:${server.http}`);
    connections.push(connection);
    return connection.clickhouse;
  }

  test("migrates with the documented rights, and fails without any one of them", async () => {
    expect(await migrateClickHouse(as("owner0"), "owned0")).not.toMatchObject({ taken: 0 });
    expect(await migrateClickHouse(as("owner0"), "owned0")).toMatchObject({ taken: 0 });
    for (const at of Object.keys(MIGRATION).keys())
      await expect(migrateClickHouse(as(`owner${at + 1}`), `owned${at + 1}`)).rejects.toMatchObject(DENIED);
  });

  test("writes, queries, lists and exports with the rights of a server", async () => {
    const clickhouse = as("server0");
    await checkSchema(clickhouse, "assay");
    const store = clickHouseStore(clickhouse, { database: "assay" });
    expect(await store.calls.put(P, CALLS)).toBe(2);
    await store.rows.put(P, [{ digest: "d", val: 1 }]);
    expect(await store.calls.delete(P, ["t2"], "2026-01-01T00:00:00Z")).toBe(1);
    const answer = await pushedExecution(store).answer(P, BODY);
    expect(answer).toMatchObject({ value: { total_rows: 1 } });
    expect(await createEvalEngine(store).answer(P, BODY)).toEqual(answer);
    expect(await store.evaluations(P)).toEqual([]);
    await expect(migrateClickHouse(clickhouse, "assay")).rejects.toMatchObject(DENIED);

    const reader = clickHouseStore(as("server2"), { database: "assay" });
    expect(await pushedExecution(reader).answer(P, BODY)).toEqual(answer);
    await expect(reader.calls.put(P, CALLS)).rejects.toMatchObject(DENIED);

    const writer = as("server1");
    await expect(checkSchema(writer, "assay")).rejects.toMatchObject(DENIED);
    await expect(clickHouseStore(writer, { database: "assay" }).calls.put(P, CALLS)).rejects.toMatchObject(
      DENIED,
    );
  });

  test.each([
    ["cancels a query on the server when it stops waiting", 0, true],
    ["without access to system.processes leaves it to its time limit", 3, false],
  ])("%s", async (_, at, ends) => {
    const admin = as("default");
    const sql = "SELECT sum(sleepEachRow(0.1)) FROM numbers(600) SETTINGS max_block_size = 1";
    const running = async (): Promise<boolean> => {
      const count = "SELECT count() FROM system.processes WHERE user = {user:String}";
      const [[found]] = (await admin.query({ sql: count, params: { user: `server${at}` } })) as [[string]];
      return Number(found) > 0;
    };
    const leave = new AbortController();
    const asked = as(`server${at}`).query({ sql, params: {} }, { signal: leave.signal });
    const refused = expect(asked).rejects.toMatchObject({ code: "cancelled" });
    while (!(await running())) await new Promise(setImmediate);
    leave.abort();
    await refused;
    if (ends) while (await running()) await new Promise(setImmediate);
    else {
      await new Promise((resume) => setTimeout(resume, 1000));
      expect(await running()).toBe(true);
    }
  });
});

describe.skipIf(noServer !== undefined)("a user with few rights on a cluster", () => {
  let cluster: Cluster;
  const connections: Connection[] = [];

  beforeAll(async () => {
    cluster = await openCluster({ users: usersOf("server", CLUSTERED, () => "d0"), config: ASKS_FOR_ALL });
    await cluster.database();
  });

  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await cluster.close();
  });

  function storeOf(name: string) {
    const connection = connectClickHouse(`clickhouse://${name}@127.0.0.1:${cluster.shards[0].server.http}`);
    connections.push(connection);
    return clickHouseStore(connection.clickhouse, { database: "d0", cluster: CLUSTER });
  }

  test("writes and queries with the rights of a server there, but cannot query other servers without the right to", async () => {
    const store = storeOf("server0");
    expect(await store.calls.put(P, CALLS)).toBe(2);
    const answer = await pushedExecution(store).answer(P, BODY);
    expect(answer).toMatchObject({ value: { total_rows: 2 } });
    expect(await createEvalEngine(store).answer(P, BODY)).toEqual(answer);
    await expect(pushedExecution(storeOf("server4")).answer(P, BODY)).rejects.toMatchObject(DENIED);
  });
});
