// A backup with valid kinds of changes but absurd values is restored, or refused with a fault, and can then be read
// without another error.

import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@assay/base";
import { callOf, textOf } from "@assay/calls/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { printManifest } from "../src/backup/manifest.ts";
import { type Column, openDatabase } from "../src/database/database.ts";
import { STATEMENTS } from "../src/database/statements.ts";
import { restoreBackup, writeBackup } from "../src/index.ts";
import { type LoggedChange, readHead, writeRedoLog } from "../src/recovery/redo-log.ts";
import { tablesOf } from "../src/recovery/table-dump.ts";
import { freshDirectory, openHere } from "./support.ts";

const CASES = 12;

const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.5, NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53), 2 ** 32, 1e308),
  fc.double(),
  fc.nat(300),
);
const text = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    "{}",
    "null",
    "[]",
    "acme/demo",
    "../../x",
    "\u0000",
    "\ud800",
    '{"sha256":"../x"}',
  ),
  fc.string({ unit: "binary" }),
);

/** The cells of each column type. */
const cells: Record<string, fc.Arbitrary<string | number | boolean | null>> = {
  VARCHAR: text,
  DOUBLE: number,
  INTEGER: number,
  UINTEGER: number,
  BOOLEAN: fc.boolean(),
};
const parameter = fc.oneof(number, text, fc.boolean(), fc.constant(null), fc.array(number), fc.array(text));

test("absurd values are restored or refused, and readable", async () => {
  const directory = freshDirectory();
  const store = await openHere(directory);
  await store.calls.put("acme/demo", [textOf(callOf("root", null)), textOf(callOf("a", "root"))]);
  const whole = join(freshDirectory(), "backup");
  await writeBackup(whole, store.backup());
  await store.close();
  const database = await openDatabase(join(directory, "assay.duckdb"), {
    readOnly: true,
    memory: "64MB",
    threads: 1,
  });
  const tables = [...(await tablesOf(database))];
  await database.close();

  const rows = fc.constantFrom(...tables).chain(([table, columns]) =>
    fc
      .array(fc.tuple(...columns.map(({ type }) => fc.oneof(cells[type]!, fc.constant(null)))), {
        minLength: 1,
        maxLength: 3,
      })
      .map((rows) => ({
        table,
        columns: columns.map(({ type }, i) => ({
          type,
          values: rows.map((row) => row[i]!),
        })) as readonly Column[],
      })),
  );
  const statement = fc.nat(STATEMENTS.length - 1).chain((statement) =>
    fc
      .array(parameter, {
        minLength: STATEMENTS[statement]!.split("?").length - 1,
        maxLength: STATEMENTS[statement]!.split("?").length - 1,
      })
      .map((parameters) => ({ statement, parameters })),
  );
  const changes = fc.array(fc.oneof(rows, rows, statement), { minLength: 1, maxLength: 4 });
  const line = fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.constantFrom("deadbeef {}", "{}"));
  await fc.assert(
    fc.asyncProperty(changes, fc.array(line), async (made, lines) => {
      const folder = freshDirectory();
      const [backup, restored] = [join(folder, "backup"), join(folder, "restored")];
      cpSync(whole, backup, { recursive: true });
      const { log: _, ...head } = readHead(join(backup, "redo.log"));
      async function* state() {
        for (const change of made) yield [change] as readonly LoggedChange[];
      }
      await writeRedoLog(join(backup, "redo.log"), head, state());
      writeFileSync(join(backup, "usage.0.jsonl"), lines.join("\n"));
      const files = readdirSync(backup)
        .filter((name) => name !== "backup.json")
        .map((name) => {
          const path = join(backup, name);
          const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
          return { name, size: statSync(path).size, sha256 };
        });
      const manifest = { store: "s", schema: head.schema, taken_at: "then", files };
      writeFileSync(join(backup, "backup.json"), printManifest(manifest));
      const isFault = (error: unknown): void => {
        if (!(error instanceof Fault)) throw error;
      };
      await restoreBackup(backup, restored).catch(isFault);
      expect(readdirSync(folder).sort()).toEqual(existsSync(restored) ? ["backup", "restored"] : ["backup"]);
      if (!existsSync(restored)) return;
      const again = await openHere(restored).catch(isFault);
      if (again === undefined) return;
      try {
        for (const ask of [
          () => again.counts(),
          () => again.openKeys(),
          () => again.signingSecret(),
          () => again.calls.version("acme/demo"),
          () => again.evaluations("acme/demo"),
          () => again.training.models({ limit: 10 }),
          async () => (await again.openUsage()).close(),
        ])
          await Promise.resolve().then<unknown>(ask).catch(isFault);
      } finally {
        await again.close();
      }
    }),
    { numRuns: CASES },
  );
});
