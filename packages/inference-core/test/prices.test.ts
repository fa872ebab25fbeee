// Costs of usage are exact for any prices and numbers of tokens, compared with integer fractions.

import type { Json } from "@assay/base";
import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryUsage, type UsageRecord } from "../src/index.ts";
import { pricedUsage } from "../src/usage/priced-usage.ts";
import { costOfUsage, printDollars, readPrices } from "../src/usage/prices.ts";

function prices(raw: object) {
  const read = readPrices(raw);
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return read.value;
}

const base: UsageRecord = {
  ...{ id: "a", at: 0, entity: "e", project: "p", key: "k", user: null, model: "m", step: null },
  ...{ streamed: false, outcome: "complete", counted: "engine" },
  ...{ promptTokens: 0, generatedTokens: 0, deliveredTokens: 0 },
};

test("the sum of any records is exact, and independent of the report's breakdown", async () => {
  // Microdollars per million tokens.
  const price = fc.integer({ min: 0, max: 999_999_999 });
  const tokens = fc.oneof(fc.nat(10), fc.nat(2 ** 40));
  const record = fc.record({
    model: fc.constantFrom("m", "n", "free"),
    key: fc.constantFrom("k", "l"),
    promptTokens: tokens,
    cached: fc.nat(100),
    generatedTokens: tokens,
  });
  await fc.assert(
    fc.asyncProperty(
      price,
      price,
      price,
      fc.array(record, { maxLength: 20 }),
      async (input, output, cached, records) => {
        const usage = memoryUsage();
        let [exact, priced] = [0n, 0];
        for (const [i, one] of records.entries()) {
          const cachedTokens = Math.min(one.cached, one.promptTokens);
          const { cached: _cached, ...fields } = one;
          await usage.record({ ...base, ...fields, cachedTokens, id: String(i) });
          if (one.model === "free") continue;
          priced++;
          exact += BigInt(one.promptTokens - cachedTokens) * BigInt(input);
          exact += BigInt(cachedTokens) * BigInt(cached) + BigInt(one.generatedTokens) * BigInt(output);
        }
        const list = { input: input / 1e6, output: (output / 1e6).toFixed(6), cached_input: cached / 1e6 };
        const table = prices({ m: list, n: list });
        const [all] = await pricedUsage(usage, table, {});
        expect(all?.cost ?? 0n).toBe(exact);
        expect(all?.unpriced ?? 0).toBe(records.length - priced);
        const split = await pricedUsage(usage, table, { by: ["key", "model"] });
        expect(split.reduce((sum, row) => sum + (row.cost ?? 0n), 0n)).toBe(exact);
      },
    ),
    { numRuns: Number(process.env["ASSAY_RUNS"] ?? 100) },
  );
});

test("dollars are printed without loss", () => {
  expect(
    ["0", "1", "1500000000000", "120000", "1000000000000000000"].map((unit) => printDollars(BigInt(unit))),
  ).toEqual([...["0", "0.000000000001", "1.5", "0.00000012", "1000000"]]);
});

test("prices are read strictly", () => {
  expect(readPrices({ m: { input: 1e-6 }, n: { input: "0.15", output: 600 } })).toMatchObject({ ok: true });
  expect(prices({ m: { input: 3, output: 15 } }).get("m")).toEqual({
    input: 3_000_000n,
    output: 15_000_000n,
    cachedInput: 3_000_000n,
  });
  const wrong = (raw: unknown) => {
    const read = readPrices(raw);
    return read.ok ? [] : read.issues.map(({ path, code }) => [path.join("."), code]);
  };
  expect(wrong([])).toEqual([["", "invalid"]]);
  expect(
    wrong({ a: 3, b: {}, c: { input: -1 }, d: { input: 1e-7, out: 1 }, e: { input: Number.NaN } }),
  ).toEqual([
    ["a", "invalid"],
    ["b.input", "missing"],
    ["c.input", "invalid"],
    ["d.out", "unknown"],
    ["d.input", "invalid"],
    ["e.input", "invalid"],
  ]);
});

test.each([
  ["both counts", { m: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } }, "0.0000014"],
  ["the rest of the total", { m: { prompt_tokens: 10, total_tokens: 12 } }, "0.0000014"],
  ["fractions, cut", { m: { prompt_tokens: 10.9, completion_tokens: 2.9 } }, "0.0000014"],
  [
    "cached within the input",
    { m: { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } } },
    "0.0000012",
  ],
  [
    "more cached than prompt tokens",
    { m: { prompt_tokens: 2, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 9 } } },
    "0.0000001",
  ],
  [
    "cached beside the input",
    { m: { input_tokens: 4, output_tokens: 2, cache_read_input_tokens: 4, cache_creation_input_tokens: 2 } },
    "0.0000012",
  ],
  [
    "several models",
    { m: { input_tokens: 1, output_tokens: 0 }, n: { input_tokens: 0, output_tokens: 1 } },
    "0.0000021",
  ],
  [
    "a model without token counts",
    { m: { input_tokens: 1, output_tokens: 0 }, free: { requests: 1 } },
    "0.0000001",
  ],
  ["nothing used", { m: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }, "0"],
  [
    "a model without a price",
    { m: { input_tokens: 1, output_tokens: 0 }, free: { total_tokens: 1 } },
    undefined,
  ],
  ["the total alone", { m: { total_tokens: 12 } }, undefined],
  ["a part beyond the total", { m: { prompt_tokens: 13, total_tokens: 12 } }, undefined],
  ["no counts", { m: { prompt_tokens: -1, completion_tokens: "2" } }, undefined],
  ["no model", {}, undefined],
  ["not an object", [1], undefined],
])("a call's usage: %s", (_, usage, dollars) => {
  const table = prices({ m: { input: 0.1, output: 0.2, cached_input: 0.05 }, n: { input: 1, output: 2 } });
  const cost = costOfUsage(table, usage as Json);
  expect(cost === undefined ? undefined : printDollars(cost)).toBe(dollars);
});
