import fc from "fast-check";
import { expect, test } from "vitest";
import { requestLimits, type UsageRecord } from "../src/index.ts";
import { reportUsage, USAGE_DIMENSIONS } from "../src/usage/usage.ts";

const record: fc.Arbitrary<UsageRecord> = fc.record({
  id: fc.uuid(),
  at: fc.constantFrom(0, 86_399_999, 86_400_000),
  entity: fc.constantFrom("a", "b"),
  project: fc.constantFrom("p", "q"),
  key: fc.constantFrom("k1", "k2"),
  user: fc.constantFrom(null, "ada"),
  model: fc.constantFrom("m", "n"),
  step: fc.constantFrom(null, 2, 10),
  streamed: fc.boolean(),
  outcome: fc.constantFrom("complete", "aborted", "failed"),
  promptTokens: fc.nat(9),
  generatedTokens: fc.nat(9),
  deliveredTokens: fc.nat(9),
  counted: fc.constantFrom("engine", "estimate"),
});

test("a report has the same sums in every breakdown", () => {
  const by = fc.subarray([...USAGE_DIMENSIONS]);
  fc.assert(
    fc.property(fc.array(record), by, (records, dimensions) => {
      const rows = reportUsage(records, { by: dimensions });
      const sum = (field: "requests" | "promptTokens" | "generatedTokens" | "deliveredTokens") =>
        rows.reduce((total, row) => total + row[field], 0);
      expect(sum("requests")).toBe(records.length);
      for (const field of ["promptTokens", "generatedTokens", "deliveredTokens"] as const) {
        expect(sum(field)).toBe(records.reduce((total, one) => total + one[field], 0));
      }
    }),
  );
});

test("streaming makes no difference", () => {
  fc.assert(
    fc.property(fc.array(record), (records) => {
      const streamed = (value: boolean) => records.map((one) => ({ ...one, streamed: value }));
      const by = USAGE_DIMENSIONS;
      expect(reportUsage(streamed(true), { by })).toEqual(reportUsage(streamed(false), { by }));
    }),
  );
});

test("steps are sorted as numbers, days are in UTC, and null comes first", () => {
  const one = (step: number | null, at: number): UsageRecord => ({
    ...fc.sample(record, { numRuns: 1, seed: 1 })[0]!,
    entity: "a",
    project: "p",
    step,
    at,
  });
  const rows = reportUsage([one(10, 0), one(2, 86_399_999), one(null, 0), one(2, 86_400_000)], {
    by: ["step", "day"],
  });
  expect(rows.map(({ day, step }) => [day, step])).toEqual([
    ["1970-01-01", null],
    ["1970-01-01", 2],
    ["1970-01-01", 10],
    ["1970-01-02", 2],
  ]);
  const [january, february] = [Date.UTC(2026, 0, 31, 23), Date.UTC(2026, 1, 1)];
  const months = reportUsage([one(1, february), one(1, january), one(2, january)], { by: ["month"] });
  expect(months.map(({ month, requests }) => [month, requests])).toEqual([
    ["2026-01", 2],
    ["2026-02", 1],
  ]);
});

test("limits apply to each key and each project, and keep no state at the end", () => {
  const limits = requestLimits({ key: { concurrent: 2 }, project: { concurrent: 3 } });
  const begin = (key: string, project = "p") => limits.begin({ key, entity: "e", project });
  const first = begin("a");
  expect([first, begin("a"), begin("b")].map(({ ok }) => ok)).toEqual([true, true, true]);
  expect([begin("a", "q"), begin("b")].map(({ ok }) => ok)).toEqual([false, false]);
  if (first.ok) {
    first.end(0);
    first.end(0);
  }
  expect([begin("c"), begin("c")].map(({ ok }) => ok)).toEqual([true, false]);
});
