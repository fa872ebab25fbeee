// Forged redo logs and database files: only statements of this program run, and nothing outside of the directory is
// read or written.

import { createHash } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openDatabase } from "../src/database/database.ts";
import { numberOf, STATEMENTS, type Statement } from "../src/database/statements.ts";
import { readChange } from "../src/recovery/logged-change.ts";
import { type LoggedChange, readHead, writeRedoLog } from "../src/recovery/redo-log.ts";
import { faultOf, freshDirectory, openFresh, openHere } from "./support.ts";

/** One value for each parameter of a statement. */
const valuesOf = (sql: string) => [...sql.matchAll(/\?/g)].map(() => null);

test("each statement is recognised by its number, and by its text as older versions wrote it", () => {
  for (const [statement, sql] of STATEMENTS.entries()) {
    const parameters = valuesOf(sql);
    const old = sql.replaceAll(" AND ", "\n       AND ");
    for (const change of [
      { statement, parameters },
      { sql, parameters },
      { sql: old, parameters },
    ])
      expect(readChange(change)).toEqual({ sql, parameters });
  }
});

test("statement numbers never change", () => {
  expect(STATEMENTS.length).toBeGreaterThanOrEqual(68);
  expect(createHash("sha256").update(STATEMENTS.slice(0, 68).join("\n")).digest("hex")).toBe(
    "1600e5e2aea2895f9ddcc7b5e9f8a5a2bc57a6ddc9cb08018a226f54984db5ee",
  );
});

test("any other text, number or value is refused", () => {
  const listed = fc.constantFrom(...STATEMENTS);
  const at = fc.double({ min: 0, max: 1, noNaN: true });
  const changed = fc
    .tuple(listed, fc.string({ unit: "binary", minLength: 1 }), at)
    .map(([sql, more, part]) => {
      const place = Math.floor(part * sql.length);
      return sql.slice(0, place) + more + sql.slice(place);
    });
  const attack = fc.constantFrom(
    "COPY (SELECT content FROM read_text('/etc/passwd')) TO '/tmp/stolen'",
    "ATTACH '/tmp/other.duckdb'",
    "SET enable_external_access = true",
    "INSTALL httpfs",
    "CREATE VIEW calls AS FROM read_text('/etc/passwd')",
  );
  const sql = fc.oneof(
    changed,
    attack,
    fc.tuple(listed, attack).map(([one, other]) => `${one}; ${other}`),
    fc.string(),
  );
  fc.assert(
    fc.property(sql, (text) => {
      // Spaces between words do not matter.
      fc.pre(!STATEMENTS.includes(text.replace(/\s+/g, " ") as Statement));
      expect(numberOf(text)).toBe(undefined);
      expect(readChange({ sql: text, parameters: valuesOf(text) })).toMatch(
        /a statement that assay does not write/,
      );
    }),
    { numRuns: 2000 },
  );
  const odd = fc.oneof(fc.anything(), fc.integer(), fc.double(), fc.bigInt());
  fc.assert(
    fc.property(odd, odd, (statement, parameters) => {
      const change = readChange({ statement, parameters });
      if (typeof change === "string" || !("sql" in change)) return;
      expect(change).toEqual({ sql: STATEMENTS[statement as number], parameters });
      expect(change.parameters).toHaveLength(valuesOf(change.sql).length);
    }),
  );
  for (const parameters of [[], [1, 2], [{}], [() => {}], [["a", 1]], [[{}]], "a", undefined])
    expect(readChange({ sql: "INSERT INTO tracking_secret VALUES (?)", parameters })).toEqual(
      expect.any(String),
    );
});

test("rows for tables or columns that a store does not have are refused", () => {
  const column = { type: "DOUBLE", values: [1] };
  expect(readChange({ table: "calls", columns: [column] })).toEqual({ table: "calls", columns: [column] });
  for (const table of ["store", "log_position", "schema_version", "sqlite_master", "other.calls", 7, null])
    expect(readChange({ table, columns: [column] })).toMatch(/a table that assay does not have/);
  const wrong: readonly unknown[] = [
    [],
    "columns",
    [{ type: "BLOB", values: [1] }],
    [{ type: "toString", values: [1] }],
    [{ type: "DOUBLE", values: ["1"] }],
    [{ type: "VARCHAR", values: new Float64Array(1) }],
    [{ type: "VARCHAR", values: [{}] }],
    [column, { type: "DOUBLE", values: [1, 2] }],
    [{ type: "DOUBLE", same: 1, count: -1 }],
    [{ type: "DOUBLE", same: 1, count: 2 ** 40 }],
    [{ type: "VARCHAR", different: ["a"], places: Uint8Array.of(1) }],
    [{ type: "VARCHAR", different: "a", places: Uint8Array.of(0) }],
  ];
  for (const columns of wrong)
    expect(readChange({ table: "calls", columns }), JSON.stringify(columns)).toEqual(expect.any(String));
  for (const bytes of [Uint8Array.of(), Uint8Array.of(1, 2, 3)])
    for (const rows of [{ coded: bytes }, { packed: bytes }])
      expect(readChange({ table: "calls", ...rows })).toEqual(expect.any(String));
  for (const change of [undefined, null, 1, "COPY", [], {}])
    expect(readChange(change)).toBe("is not a change");
});

test("a transaction cannot run a statement, or append to a table, that its log could not name", async () => {
  const { database } = await openFresh();
  await expect(
    database.write((transaction) =>
      // @ts-expect-error: the compiler refuses it as well.
      transaction.run("DELETE FROM usage"),
    ),
  ).rejects.toThrow("a statement that no redo log can name");
  await expect(
    database.write((transaction) => transaction.append("store", [{ type: "DOUBLE", values: [1] }])),
  ).rejects.toThrow("a table that no redo log adds to");
});

test.each<[string, unknown, RegExp]>([
  ["a statement", [{ sql: "COPY (SELECT 1) TO 'out'", parameters: [] }], /does not write \("COPY/],
  ["a number", [{ statement: STATEMENTS.length, parameters: [] }], /a statement that assay does not write/],
  ["a change", "COPY", /is not a change/],
  [
    "values",
    [{ sql: "INSERT INTO projects VALUES (?, ?, ?, ?)", parameters: ["a", 1, 2, 3] }],
    /could not be replayed/,
  ],
  [
    "a table",
    [{ table: "usage_batch", columns: [{ type: "DOUBLE", values: [1] }] }],
    /could not be replayed/,
  ],
])(
  "a forged log with %s is refused with the statement and its position, and the directory stays unchanged",
  async (_, frame, said) => {
    const directory = freshDirectory();
    await (await openHere(directory)).close();
    const logPath = join(directory, "redo.log");
    const { log: _log, ...head } = readHead(logPath);
    async function* state() {
      yield [];
      yield frame as readonly LoggedChange[];
    }
    await writeRedoLog(logPath, { ...head, continues: undefined }, state());
    rmSync(join(directory, "assay.duckdb"));
    const fault = await faultOf(openHere(directory));
    expect(fault.message).toContain(`the change of ${logPath} that ends at byte`);
    expect(fault.message).toMatch(said);
  },
);

test("a database file can reach no other file, and change no setting", async () => {
  const directory = freshDirectory();
  const [secret, out, path] = ["secret", "out", "made-up.duckdb"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(secret, "not yours");
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(`CREATE VIEW calls AS SELECT content FROM read_text('${secret}')`);
  await connection.run(`CREATE MACRO max(x) AS (SELECT content FROM read_text('${secret}'))`);
  connection.closeSync();
  instance.closeSync();
  const database = await openDatabase(path, { readOnly: false, memory: "64MB", threads: 1 });
  try {
    for (const sql of [
      "SELECT * FROM calls",
      "SELECT max(1)",
      `COPY (SELECT 1) TO '${out}'`,
      `ATTACH '${out}'`,
      "SET enable_external_access = true",
      "SET lock_configuration = false",
      "INSTALL httpfs",
    ])
      expect((await faultOf(database.columns(sql))).cause, sql).toMatchObject({
        message: expect.stringMatching(/disabled|locked/),
      });
  } finally {
    await database.close();
  }
  expect(existsSync(out)).toBe(false);
});

test("a database in memory reaches only the files that it was given", async () => {
  const directory = freshDirectory();
  const [from, to, other] = ["it's from", "to", "other"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [from, other]) writeFileSync(path, "text");
  const database = await openDatabase(":memory:", {
    readOnly: false,
    memory: "64MB",
    threads: 1,
    files: [from, to],
  });
  const copied = (source: string, target: string) =>
    database.write((transaction) =>
      transaction.run("COPY (SELECT content FROM read_text($1)) TO $2 (USE_TMP_FILE false)", [
        source,
        target,
      ]),
    );
  try {
    await copied(from, to);
    expect(existsSync(to)).toBe(true);
    await faultOf(copied(other, to));
    await faultOf(copied(from, join(directory, "new")));
    await faultOf(database.columns("SET lock_configuration = false"));
  } finally {
    await database.close();
  }
});
