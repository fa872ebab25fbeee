// Fuzz target for the files of a data directory: flips, truncates, zeroes, extends or removes each, and then reads it.
// Every answer equals what was written, or is a fault that names the damage.

import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "@assay/base";
import { callOf, textOf } from "@assay/calls/testing";
import { createEvalEngine } from "@assay/eval-engine";
import type { FuzzTarget } from "@assay/testing/fuzz-target";
import fc from "fast-check";
import { openStore, repairDirectory, type Store } from "../src/index.ts";
import { usageRecord } from "./inference/usage-record.ts";

const P = "acme/demo";
const EVALUATIONS = ["e1", "e2"];
const TRIALS = 60;
const JOURNALS = ["calls.jsonl", "rows.jsonl", "objects.jsonl", "files.bin"];

/** Damage to one file. `file` is a fraction of the number of files, `at` of its length. */
interface Damage {
  readonly kind: "flip" | "cut" | "zero" | "grow" | "remove";
  readonly file: number;
  readonly at: number;
}

/** The state and damage of a directory. */
interface Input {
  /** Whether its process was killed, so that the last changes are only in a log. */
  readonly killed: boolean;
  readonly damages: readonly Damage[];
  /** Whether the directory is repaired before it is opened. */
  readonly repaired: boolean;
}

const part = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom("flip" as const, "flip", "flip", "cut", "zero", "grow", "remove"),
  file: part,
  at: part,
});
const input: fc.Arbitrary<Input> = fc.record({
  killed: fc.boolean(),
  damages: fc.array(damage, { minLength: 1, maxLength: 2 }),
  repaired: fc.boolean(),
});

/** Writes data of every kind that evaluations, keys and usage are read from, including segments. */
async function fill(directory: string, killed: string): Promise<void> {
  const first = await openStore({ directory });
  await first.close();
  const store = await openStore({ directory });
  for (const evaluation of EVALUATIONS) {
    const trials = Array.from({ length: TRIALS }, (_, i) =>
      callOf(`${evaluation}-${i}`, evaluation, {
        op_name: "weave:///acme/demo/op/Evaluation.predict_and_score:v1",
        inputs: { example: { question: i } },
        output: { output: `${i} ${"and on ".repeat(20)}`, scores: { exam: i / 64 } },
      }),
    );
    await store.calls.put(P, [callOf(evaluation, null), ...trials].map(textOf));
  }
  await store.traces.files.put(P, "f", [Uint8Array.of(0, 10, 255)]);
  const keys = await store.openKeys();
  await keys.add({ id: "k", hash: "h", name: "n", scopes: [], createdAt: 1 });
  const ledger = await store.openUsage();
  for (let i = 1; i <= 5; i++) await ledger.record(usageRecord(i));
  await ledger.close();
  await createEvalEngine(store).open(P, EVALUATIONS);
  cpSync(directory, killed, { recursive: true });
  rmSync(join(killed, "assay.lock"));
  await store.close();
}

/** How to read each part of a directory. */
const PARTS: Readonly<Record<string, (store: Store, directory: string) => Promise<unknown>>> = {
  ...Object.fromEntries(
    EVALUATIONS.map((id) => [
      id,
      async (store: Store) => {
        const { calls, rows, segments } = store;
        const engine = createEvalEngine({ calls, rows, segments });
        const body = { evaluation_call_ids: [id], include_raw_data_rows: true, include_summary: true };
        return engine.query(P, body);
      },
    ]),
  ),
  files: async (store) => store.traces.files.get(P, "f"),
  keys: async (store) => (await store.openKeys()).list(10),
  evaluations: async (store) => store.evaluations(P),
};

type Content = Readonly<Record<string, string | Fault>>;

/** Every part as JSON, or the fault of reading it. Throws any other error. */
async function contentOf(directory: string, told: string[]): Promise<Content> {
  const store = await openStore({ directory, tell: (message) => told.push(message) });
  const content: { [part: string]: string | Fault } = {};
  try {
    for (const [name, read] of Object.entries(PARTS)) {
      try {
        content[name] = JSON.stringify(await read(store, directory));
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        content[name] = error;
      }
    }
    const ledger = await store.openUsage({
      onDamage: (message) => told.push(message),
    });
    content["usage"] = JSON.stringify(await ledger.report({}));
    await ledger.close();
  } finally {
    await store.close();
  }
  return content;
}

/** Damages one of the files and returns its path. */
function damageFile(directory: string, { kind, file, at }: Damage): string {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  const path = paths[Math.floor(file * paths.length)]!;
  if (kind === "remove") {
    rmSync(path);
    return path;
  }
  const bytes = readFileSync(path);
  const place = Math.floor(at * bytes.length);
  if (kind === "flip" && bytes.length > 0) bytes[place]! ^= 1 << (place % 8);
  if (kind === "zero") bytes.fill(0, place, Math.min(place + 4096, bytes.length));
  const junk = Buffer.from('{"id": "half\n\u0000');
  writeFileSync(
    path,
    kind === "cut" ? bytes.subarray(0, place) : kind === "grow" ? Buffer.concat([bytes, junk]) : bytes,
  );
  return path;
}

const sizesOf = (directory: string) =>
  JOURNALS.map((name) => {
    const path = join(directory, name);
    return existsSync(path) ? statSync(path).size : 0;
  });

/** The property that every damage satisfies. The damaged directories are copies of two that are filled once. */
function damagedDirectories(): fc.IAsyncProperty<[Input]> {
  let templates:
    | Promise<{ readonly closed: string; readonly killed: string; readonly content: Content }>
    | undefined;
  const prepare = async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-fuzz-files-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const [closed, killed] = [join(folder, "closed"), join(folder, "killed")];
    await fill(closed, killed);
    return { closed, killed, content: await contentOf(closed, []) };
  };
  return fc.asyncProperty(input, async ({ killed, damages, repaired }) => {
    templates ??= prepare();
    const { content, ...made } = await templates;
    const directory = mkdtempSync(join(tmpdir(), "assay-fuzz-file-"));
    try {
      cpSync(killed ? made.killed : made.closed, directory, { recursive: true });
      const damagedFiles = damages.map((one) => damageFile(directory, one));
      const before = sizesOf(directory);
      const told: string[] = [];
      const lost: string[] = [];
      let found: Content;
      try {
        if (repaired) lost.push(...(await repairDirectory(directory)).lost);
        found = await contentOf(directory, told);
      } catch (error) {
        if (error instanceof Fault && error.message.length > 20) return;
        throw error;
      }
      sizesOf(directory).forEach((size, i) => {
        if (size < before[i]!)
          throw new Error(`${JOURNALS[i]} became shorter: ${size} of ${before[i]} bytes`);
      });
      for (const [name, value] of Object.entries(found)) {
        if (value === content[name] || value instanceof Fault) continue;
        // Lost data is reported, by the repair or by opening the directory.
        if (lost.length > 0 || told.length > 0) continue;
        throw new Error(`${damagedFiles.join(" and ")}: ${name} has the wrong answer ${value.slice(0, 300)}`);
      }
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
}

/** For `npm run fuzz`. */
export const directoriesTarget: FuzzTarget = {
  name: "directories",
  what: "files of a data directory, flipped, truncated, zeroed, extended or removed: the original answer or a fault",
  patience: 60_000,
  memory: 1024,
  few: 12,
  property: damagedDirectories,
};
