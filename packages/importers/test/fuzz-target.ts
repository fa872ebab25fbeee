// Fuzz target for the importers: broken files of every format, read as their own format or as another.

import type { FuzzTarget } from "@assay/testing/fuzz-target";
import { FIXTURES } from "@assay/testing/import-fixtures";
import { change } from "@assay/testing/mutated-bytes";
import fc from "fast-check";
import type { ImportFile, ImportOptions } from "../src/index.ts";
import { IMPORT_KINDS } from "../src/options/import-kinds.ts";
import { readPassRule } from "../src/scores/pass-rule.ts";
import { type Change, endless, mutatedFile } from "./mutated-file.ts";
import { imported } from "./support.ts";

/** The input of an import. */
interface Input {
  /** The index of the fixture. */
  readonly fixture: number;
  readonly changes: readonly Change[];
  readonly options: ImportOptions;
}

const NAMES = [
  "id",
  "question",
  "answer",
  "correct",
  "exact",
  "match",
  "model",
  "nothing",
  "a.b",
  "__proto__",
];
const rule = readPassRule("exact>=0.5");
const name = fc.constantFrom(...NAMES);
const maybe = <Of>(of: fc.Arbitrary<Of>) => fc.option(of, { nil: undefined, freq: 2 });

const options: fc.Arbitrary<ImportOptions> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record({
      from: maybe(fc.constantFrom(...IMPORT_KINDS.map(({ name }) => name))),
      evaluation: maybe(name),
      rowKey: maybe(name),
      output: maybe(name),
      scores: maybe(fc.array(name, { minLength: 1, maxLength: 2 })),
      passes: maybe(fc.constant(rule.ok ? [rule.value] : [])),
    }),
  },
);

/** Property: importing a broken file gives a message, or complete evaluations. `long` includes files of a gigabyte. */
export function brokenImports(long: boolean): fc.IAsyncProperty<[Input]> {
  const some = fc.array(change, { minLength: 1, maxLength: 4 });
  const changes = long
    ? fc.oneof({ weight: 60, arbitrary: some }, { weight: 1, arbitrary: endless.map((one) => [one]) })
    : some;
  const fixture = fc.nat({ max: FIXTURES.length - 1 });
  return fc.asyncProperty(fc.record({ fixture, changes, options }), assertMessageOrComplete);
}

/** Throws if an import writes half an evaluation, or refuses without explaining the fault. */
async function assertMessageOrComplete({ fixture, changes, options: asked }: Input): Promise<void> {
  const { files } = FIXTURES[fixture]!;
  const [first, ...others] = files as [ImportFile, ...ImportFile[]];
  const { plan, lines } = await imported([await mutatedFile(first, changes), ...others], asked);
  for (const { reason } of plan.refused) {
    if (!/^\S.{5,}/s.test(reason) || /\bat .*:\d+:\d+|undefined|TypeError/.test(reason))
      throw new Error(`the reason does not explain the fault: ${reason}`);
  }
  const calls = lines
    .map((line) => JSON.parse(line) as { readonly [key: string]: unknown })
    .filter((line) => line["op_name"] !== undefined);
  const roots = calls.filter((call) => call["parent_id"] === null).map((call) => call["id"]);
  const planned = plan.evaluations.map(({ id }) => id);
  if (JSON.stringify([...roots].sort()) !== JSON.stringify([...planned].sort()))
    throw new Error(`writes ${roots.length} evaluations where ${planned.length} were planned`);
  for (const { id, trials } of plan.evaluations) {
    const below = calls.filter((call) => call["parent_id"] === id).length;
    if (below !== trials) throw new Error(`writes ${below} trials of ${trials}`);
  }
}

/** For `npm run fuzz`. */
export const importersTarget: FuzzTarget = {
  name: "importers",
  what: "logs of all kinds, truncated, changed or a gigabyte long: a message, or complete evaluations",
  patience: 60_000,
  memory: 1024,
  few: 300,
  property: brokenImports,
};
