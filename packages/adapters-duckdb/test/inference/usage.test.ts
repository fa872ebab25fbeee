// What only a ledger on disk can get wrong: its data after closing, a kill or damage.

import { appendFileSync, copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@assay/base";
import { reportUsage } from "@assay/inference-core/internal";
import { expect, test } from "vitest";
import { openUsageLedger } from "../../src/inference/usage.ts";
import { freshDirectory, openHere } from "../support.ts";
import { usageRecord } from "./usage-record.ts";

const records = Array.from({ length: 10 }, (_, number) => usageRecord(number));
const journalOf = (directory: string) => join(directory, "usage.0.jsonl");

async function ledgerOf(directory: string) {
  const store = await openHere(directory);
  const damage: string[] = [];
  const ledger = await openUsageLedger(store.database, directory, {
    onDamage: (message) => damage.push(message),
  });
  return {
    ledger,
    damage,
    async close() {
      await ledger.close();
      await store.close();
    },
  };
}

test("records survive reopening the ledger without a report", async () => {
  const directory = freshDirectory();
  const first = await ledgerOf(directory);
  for (const record of records) await first.ledger.record(record);
  // The state after a kill: nothing moved, nothing closed.
  const killed = readFileSync(journalOf(directory));
  await first.close();
  expect(statSync(journalOf(directory)).size).toBe(0);

  // The state after a kill between moving the records and emptying the journal: the records occur twice.
  writeFileSync(journalOf(directory), killed);
  const second = await ledgerOf(directory);
  expect(await second.ledger.report({})).toEqual(reportUsage(records, {}));
  await second.close();
});

test("a line truncated by a crash is removed, and the lines after it are complete", async () => {
  const directory = freshDirectory();
  const first = await ledgerOf(directory);
  await first.ledger.record(records[0]!);
  const whole = join(directory, "whole");
  copyFileSync(journalOf(directory), whole);
  await first.close();

  copyFileSync(whole, journalOf(directory));
  appendFileSync(journalOf(directory), readFileSync(whole).subarray(0, 40));
  const second = await ledgerOf(directory);
  await second.ledger.record(records[1]!);
  expect(second.damage).toEqual([]);
  expect(await second.ledger.report({})).toEqual(reportUsage(records.slice(0, 2), {}));
  await second.close();
});

test("a line damaged on disk is reported, and the others count", async () => {
  const directory = freshDirectory();
  const first = await ledgerOf(directory);
  for (const record of records) await first.ledger.record(record);
  const bytes = readFileSync(journalOf(directory));
  await first.close();
  const damaged = bytes.indexOf("chatcmpl-3");
  bytes[damaged] = 0x58;
  const second = freshDirectory();
  const store = await ledgerOf(second);
  await store.close();
  writeFileSync(journalOf(second), bytes);
  const opened = await ledgerOf(second);
  expect(opened.damage).toEqual(["line 4 of usage.0.jsonl is damaged and was left out"]);
  const others = records.filter((_, number) => number !== 3);
  expect(await opened.ledger.report({})).toEqual(reportUsage(others, {}));
  await opened.close();
});

test("a failed move loses nothing, and the next one moves all", async () => {
  const directory = freshDirectory();
  const store = await openHere(directory);
  let broken = true;
  const write: typeof store.database.write = (work) =>
    broken ? Promise.reject(new Error("no")) : store.database.write(work);
  const ledger = await openUsageLedger({ ...store.database, write }, directory);
  for (const record of records.slice(0, 5)) await ledger.record(record);
  await expect(ledger.report({})).rejects.toThrow("no");
  for (const record of records.slice(5)) await ledger.record(record);
  await expect(ledger.report({})).rejects.toThrow("no");
  const files = ["usage.0.jsonl", "usage.1.jsonl"].map((name) => readFileSync(join(directory, name), "utf8"));
  expect(files.join("").split("\n")).toHaveLength(records.length + 1);
  broken = false;
  expect(await ledger.report({})).toEqual(reportUsage(records, {}));
  await ledger.close();
});

test("after a failed sync, the ledger accepts records only once the table has the earlier ones", async () => {
  const directory = freshDirectory();
  const store = await openHere(directory);
  let tries = 0;
  const syncFile = async () => {
    tries++;
    throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
  };
  let isFull = true;
  const write: typeof store.database.write = (work) =>
    isFull ? Promise.reject(new Fault("exhausted", "no space left")) : store.database.write(work);
  const ledger = await openUsageLedger({ ...store.database, write }, directory, { syncFile });
  await ledger.record(records[0]!);
  await expect.poll(() => tries).toBe(1);
  const refused = { name: "Fault", code: "unavailable" };
  await expect(ledger.record(records[1]!)).rejects.toMatchObject(refused);
  // Another sync would succeed and hide the loss.
  await expect(ledger.record(records[2]!)).rejects.toMatchObject(refused);
  expect(tries).toBe(1);
  expect(await ledger.report({})).toEqual(reportUsage(records.slice(0, 1), {}));
  isFull = false;
  await ledger.record(records[1]!);
  expect(await store.database.columns("SELECT id FROM usage")).toEqual([[records[0]!.id]]);
  expect(await ledger.report({})).toEqual(reportUsage(records.slice(0, 2), {}));
  await ledger.close();
});

test("records lost from a truncated or missing file are counted exactly once", async () => {
  const directory = freshDirectory();
  const first = await ledgerOf(directory);
  for (const record of records) await first.ledger.record(record);
  const copy = freshDirectory();
  for (const name of ["usage.0.jsonl", "usage.count"]) copyFileSync(join(directory, name), join(copy, name));
  await first.close();
  const lines = readFileSync(journalOf(copy), "utf8").split("\n");
  writeFileSync(
    journalOf(copy),
    lines
      .slice(0, 7)
      .map((line) => `${line}\n`)
      .join(""),
  );
  const cut = await ledgerOf(copy);
  expect(cut.damage).toEqual(["3 records of usage.0.jsonl are gone"]);
  expect(cut.ledger.lost).toBe(3);
  await cut.ledger.record(records[7]!);
  await cut.close();
  const after = await ledgerOf(copy);
  expect(after.damage).toEqual([]);
  expect(after.ledger.lost).toBe(3);
  expect(await after.ledger.report({})).toEqual(reportUsage(records.slice(0, 8), {}));
  await after.close();
});

test("a report works on a full disk, and includes records not yet moved", async () => {
  const directory = freshDirectory();
  const store = await openHere(directory);
  const whole = await openUsageLedger(store.database, directory);
  for (const record of records.slice(0, 4)) await whole.record(record);
  await whole.report({});
  await whole.close();
  const write = () => Promise.reject(new Fault("exhausted", "no space left"));
  const full = await openUsageLedger({ ...store.database, write }, directory);
  for (const record of records.slice(2)) await full.record(record);
  expect(await full.report({ by: ["day", "model"] })).toEqual(reportUsage(records, { by: ["day", "model"] }));
});

test("many concurrent records are moved into the table as they arrive", async () => {
  const directory = freshDirectory();
  const { ledger, close } = await ledgerOf(directory);
  const many = Array.from({ length: 10_000 }, (_, number) => usageRecord(number));
  for (let from = 0; from < many.length; from += 1000)
    await Promise.all(many.slice(from, from + 1000).map(ledger.record));
  // Even without a report, little waits in the journal.
  const waiting = () =>
    ["usage.0.jsonl", "usage.1.jsonl"].reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
  await expect.poll(waiting, { timeout: 10_000 }).toBeLessThan(1100 * 300);
  expect(await ledger.report({ by: ["day"] })).toEqual(reportUsage(many, { by: ["day"] }));
  await close();
});
