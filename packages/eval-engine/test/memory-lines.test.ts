// Calls given as lines are stored in another form than calls given as objects; answers must not differ.

import { jsonText } from "@assay/base";
import type { MemoryCalls } from "@assay/calls/internal";
import { CASES, check, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Call, createEvalEngine, memoryCalls, memoryRows } from "../src/index.ts";
import { request, world } from "../src/testing/index.ts";

const PROJECT = "acme/demo";
const GONE = "2026-01-01T00:00:00Z";

test(
  "calls from lines equal other calls, whatever is repeated, moved or deleted",
  async () => {
    const steps = fc.array(
      fc.record({
        take: fc.nat({ max: 8 }),
        move: fc.constantFrom(undefined, null, "e1", "e2", "elsewhere"),
        remove: fc.nat({ max: 2 }),
      }),
      { maxLength: 5 },
    );
    const cases = fc.tuple(world, steps, request);
    await check(
      cases,
      async ([{ calls, rows }, steps, body]) => {
        const [objects, lines] = [memoryCalls(), memoryCalls()];
        const engine = createEvalEngine({ calls: lines, rows: memoryRows(rows) });
        const specification = createEvalEngine({ calls: objects, rows: memoryRows(rows) });
        const put = (batch: readonly Call[]): void => {
          objects.put(PROJECT, batch);
          lines.putLines(
            PROJECT,
            batch.map((call) => jsonText(call)),
          );
        };
        let at = 0;
        for (const { take, move, remove } of [...steps, { take: calls.length, move: undefined, remove: 0 }]) {
          const before = objects.version(PROJECT) as number;
          const batch = calls.slice(at, at + take);
          at += take;
          put(batch);
          if (move !== undefined) put(batch.slice(-1).map((call) => ({ ...call, parent_id: move })));
          const ids = batch.slice(0, remove).map(({ id }) => id);
          for (const source of [objects, lines]) source.delete(PROJECT, ids, GONE);

          expect(await seen(lines, calls, before)).toEqual(await seen(objects, calls, before));
          const columns = jsonText(await engine.query(PROJECT, body));
          expect(columns).toBe(jsonText(await specification.query(PROJECT, body, { plan: "naive" })));
        }
      },
      { numRuns: CASES / 40, first: [] },
    );
  },
  PATIENCE,
);

/** Everything that a source returns. */
async function seen(source: MemoryCalls, calls: readonly Call[], since: number): Promise<readonly unknown[]> {
  const said: unknown[] = [await source.version(PROJECT)];
  said.push(
    await source.calls(
      PROJECT,
      calls.map(({ id }) => id),
    ),
  );
  for (const root of ["e1", "e2", "elsewhere"]) {
    for await (const trees of source.trees(PROJECT, root)) said.push(jsonText(trees));
    for await (const trees of (await source.changes(PROJECT, root, since)) ?? []) said.push(jsonText(trees));
  }
  return said;
}

test("a line that is not a call adds nothing, and the issue names the line", () => {
  const source = memoryCalls();
  const put = source.putLines(PROJECT, ['{"id":"a"}', '{"id":7}']);
  expect(put).toMatchObject({ ok: false, issues: [{ code: "string_type", path: [1, "id"] }] });
  expect(source.version(PROJECT)).toBe(0);
});

test("a field of a call from a line has the line's value", async () => {
  const source = memoryCalls();
  const text = {
    id: "a",
    trace_id: "t",
    parent_id: "root",
    op_name: "op",
    display_name: "name",
    started_at: GONE,
    ended_at: GONE,
    inputs: { self: 1 },
    output: [2],
    attributes: { three: 3 },
    summary: { four: 4 },
    exception: "five",
    deleted_at: null,
  };
  source.putLines(PROJECT, [jsonText(text)]);
  for await (const [tree] of source.trees(PROJECT, "root")) {
    for (const [key, value] of Object.entries(text))
      expect((tree!.call as unknown as { readonly [key: string]: unknown })[key]).toEqual(value);
  }
});
