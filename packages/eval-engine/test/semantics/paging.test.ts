// docs/reference/semantics.md, "Paging and totals": the order of the steps, the page and the total.

import { describe, expect, test } from "vitest";
import { ask, digests, scored, where } from "./project.ts";

const calls = [
  scored("e1", { a: { s: 1 }, b: { s: 2 }, c: { s: 3 }, d: { s: 4 } }),
  scored("e2", { b: { s: 1 }, c: { s: 1 }, d: { s: 1 }, e: { s: 1 } }),
];

/** The page and the total, as in `bc of 5`. */
async function page(body: object): Promise<string> {
  const answer = await ask(calls, { evaluation_call_ids: ["e1", "e2"], ...body });
  return `${digests(answer).join("")} of ${answer.total_rows}`;
}

describe("a page", () => {
  test("is offset and limit of the rows; the total counts them all", async () => {
    expect(await page({})).toBe("abcde of 5");
    expect(await page({ limit: 2 })).toBe("ab of 5");
    expect(await page({ limit: 2, offset: 3 })).toBe("de of 5");
    expect(await page({ offset: 3 })).toBe("de of 5");
    expect(await page({ limit: null, offset: 1 })).toBe("bcde of 5");
  });

  test("may be empty", async () => {
    expect(await page({ limit: 0 })).toBe(" of 5");
    expect(await page({ offset: 5 })).toBe(" of 5");
    expect(await page({ offset: 99, limit: 2 })).toBe(" of 5");
  });

  test("may exceed the end, however far", async () => {
    expect(await page({ limit: 100 })).toBe("abcde of 5");
    expect(await page({ limit: Number.MAX_SAFE_INTEGER, offset: 4 })).toBe("e of 5");
    expect(await page({ limit: Number.MAX_SAFE_INTEGER, offset: Number.MAX_SAFE_INTEGER })).toBe(" of 5");
    expect(await page({ limit: 1e300, offset: 1e300 })).toBe(" of 5");
    const sort_by = [{ field: "scores.s", direction: "desc" }];
    expect(await page({ limit: Number.MAX_SAFE_INTEGER, offset: 4, sort_by })).toBe("e of 5");
  });

  test("is cut after grouping, intersecting, filtering and sorting", async () => {
    const body = {
      require_intersection: true,
      filters: [where("scores.s", "$gte", 3, "e1")],
      sort_by: [{ field: "scores.s", direction: "desc", evaluation_call_id: "e1" }],
    };
    expect(await page(body)).toBe("dc of 2");
    expect(await page({ ...body, limit: 1 })).toBe("d of 2");
    expect(await page({ ...body, offset: 1 })).toBe("c of 2");
  });
});

describe("require_intersection", () => {
  test("keeps the rows that every requested evaluation has", async () => {
    expect(await page({ require_intersection: true })).toBe("bcd of 3");
  });

  test("of one evaluation keeps all of its rows, even if it is named twice", async () => {
    expect(await page({ evaluation_call_ids: ["e1"], require_intersection: true })).toBe("abcd of 4");
    expect(await page({ evaluation_call_ids: ["e1", "e1"], require_intersection: true })).toBe("abcd of 4");
  });

  test("with an id that does not exist keeps none", async () => {
    expect(await page({ evaluation_call_ids: ["e1", "nobody"], require_intersection: true })).toBe(" of 0");
  });
});

test("include_rows=false omits rows, but still counts them", async () => {
  expect(await page({ include_rows: false })).toBe(" of 5");
  expect(await page({ include_rows: false, require_intersection: true, limit: 1 })).toBe(" of 3");
});
