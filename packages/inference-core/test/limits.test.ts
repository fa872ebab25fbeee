// Rates over simulated time: never more or less than the limit, and a reported wait is long enough.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requestLimits } from "../src/index.ts";

const asker = { key: "k", entity: "e", project: "p" };

describe("requests per minute", () => {
  test("in any period, at most the rate plus a burst start, and a client that waits the reported time is admitted", () => {
    const limit = fc.integer({ min: 1, max: 200 });
    const pauses = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })), {
      maxLength: 150,
    });
    fc.assert(
      fc.property(limit, pauses, (perMinute, steps) => {
        let now = 1000;
        const limits = requestLimits({ key: { requests_per_minute: perMinute } }, () => now);
        const began: number[] = [];
        for (const pause of steps) {
          now += pause;
          let admission = limits.begin(asker);
          if (!admission.ok) {
            const { retryAfter = 0 } = admission.refusal;
            expect(admission.rates.requests?.remaining).toBe(0);
            now += Math.ceil(1000 * retryAfter);
            admission = limits.begin(asker);
          }
          expect(admission.ok).toBe(true);
          if (admission.ok) admission.end(0);
          began.push(now);
        }
        for (const [i, from] of began.entries())
          for (const [j, to] of began.entries())
            if (j >= i)
              expect(j - i + 1).toBeLessThanOrEqual(perMinute + ((to - from) * perMinute) / 60_000 + 1e-6);
      }),
      { numRuns: Number(process.env["ASSAY_RUNS"] ?? 100) },
    );
  });

  test("a client within the rate is never refused", () => {
    let now = 0;
    const limits = requestLimits({ project: { requests_per_minute: 7 } }, () => now);
    for (let i = 0; i < 500; i++, now += 8572) expect(limits.begin(asker).ok).toBe(true);
  });

  test("the lower remainder of a key and its project is reported, and single ones can have their own limits", () => {
    const limits = requestLimits(
      {
        key: { requests_per_minute: 10 },
        project: { requests_per_minute: 4 },
        keys: { vip: { requests_per_minute: 2 } },
        projects: { "e/big": {} },
      },
      () => 0,
    );
    expect(limits.begin(asker).rates).toEqual({ requests: { limit: 4, remaining: 3, resetMs: 15_000 } });
    expect(limits.begin({ ...asker, project: "big" }).rates.requests?.limit).toBe(10);
    const vip = { ...asker, key: "vip", project: "big" };
    expect([limits.begin(vip), limits.begin(vip), limits.begin(vip)].map(({ ok }) => ok)).toEqual([
      true,
      true,
      false,
    ]);
    // A refused request takes nothing from the other account.
    expect(limits.begin({ ...asker, project: "big" }).rates.requests?.remaining).toBe(7);
  });
});

test("tokens are counted when an answer ends, and a deficit delays later requests", () => {
  let now = 0;
  const limits = requestLimits({ key: { tokens_per_minute: 60 } }, () => now);
  const first = limits.begin(asker);
  expect(first.rates).toEqual({ tokens: { limit: 60, remaining: 60, resetMs: 0 } });
  if (first.ok) first.end(180);
  const refused = limits.begin(asker);
  expect(refused).toMatchObject({
    ok: false,
    refusal: {
      code: "limited",
      retryAfter: 121,
      message: "Rate limit reached for key k: 60 tokens a minute",
    },
    rates: { tokens: { limit: 60, remaining: 0, resetMs: 180_000 } },
  });
  now = 120_999;
  expect(limits.begin(asker).ok).toBe(false);
  now = 121_000;
  expect(limits.begin(asker).ok).toBe(true);
});

test("a key's concurrent requests count across all projects", () => {
  const limits = requestLimits({ key: { concurrent: 2 }, project: { requests_per_minute: 1 } }, () => 0);
  for (let i = 0; i < 9999; i++) {
    const before = limits.begin({ key: "other", entity: "e", project: `p${i}` });
    if (before.ok) before.end(0);
  }
  // There are now so many accounts that idle ones are evicted, but not this key's.
  const begun = [0, 1, 2].map((i) => limits.begin({ key: "new", entity: "e", project: `q${i}` }).ok);
  expect(begun).toEqual([true, true, false]);
});
