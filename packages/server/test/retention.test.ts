// Which evaluations are too old: exact to the microsecond, and never one of unknown age.

import { expect, test } from "vitest";
import { expiredEvaluations } from "../src/data/retention.ts";

const NOW = Date.parse("2026-06-30T12:00:00Z");
const of = (started_at: string | null, ended_at: string | null) =>
  expiredEvaluations([{ id: "it", started_at, ended_at }], 30, NOW).length === 1;

test.each([
  ["ended just over 30 days ago", "2026-05-01T00:00:00Z", "2026-05-31T11:59:59.999999Z", true],
  ["ended 30 days ago", "2026-05-01T00:00:00Z", "2026-05-31T12:00:00Z", false],
  ["started long ago and is still running", "2026-05-01T00:00:00Z", null, true],
  ["started a day ago and is still running", "2026-06-29T00:00:00Z", null, false],
  ["has no times", null, null, false],
  ["has only an end, as an imported table has", null, "1970-01-01T00:00:00.000000Z", false],
  ["has an end before its start", "2026-06-29T00:00:00Z", "1970-01-01T00:00:00Z", false],
  ["has an invalid start", "yesterday", "2020-01-01T00:00:00Z", false],
])("one that %s", (_, started, ended, expected) => {
  expect(of(started, ended)).toBe(expected);
});
