import { expect, test } from "vitest";
import { findAfter, findById, findChildren, findTrials } from "../src/calls/call-index.ts";
import type { Cell, DatabaseReader } from "../src/database/database.ts";
import { openFresh } from "./support.ts";

test("a few hashes are compared individually, more are joined", async () => {
  const store = await openFresh();
  const plans: string[] = [];
  const reader: DatabaseReader = {
    async columns(sql, parameters) {
      const [, plan] = await store.database.columns(`EXPLAIN ${sql}`, parameters);
      plans.push(plan!.join());
      return Array.from({ length: 7 }, (): readonly Cell[] => []);
    },
  };
  const anywhere = { opNames: undefined, ids: undefined, traces: undefined, parents: undefined };
  for (const hashes of [[1], [1, 2, 3, 4], [1, 2, 3, 4, 5], []]) {
    plans.length = 0;
    await findById(reader, 1, hashes);
    await findChildren(reader, 1, hashes);
    await findTrials(reader, 1, ["op"], hashes);
    for (const list of ["ids", "traces", "parents"])
      await findAfter(reader, 1, { ...anywhere, [list]: hashes }, { order: "oldest", after: 0, limit: 2048 });
    const joins = plans.map((plan) => plan.split("HASH_JOIN").length - 1);
    const isFew = hashes.length > 0 && hashes.length <= 4;
    // Trials are always joined with their op names.
    expect(joins).toEqual(isFew ? [0, 0, 1, 0, 0, 0] : [1, 1, 2, 1, 1, 1]);
  }
});
