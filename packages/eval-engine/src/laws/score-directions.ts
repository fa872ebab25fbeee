// Laws of every `ScoreDirections`, for implementers.

import type { Law, Open } from "@assay/base";
import { expectSame, lawsFor } from "@assay/base/internal";
import type { KeptDirection, ScoreDirections } from "../ports/score-directions.ts";

/** The laws of `ScoreDirections`. `open` creates an empty store each time. */
export function scoreDirectionsLaws(open: Open<ScoreDirections>): readonly Law[] {
  const law = lawsFor(open);
  const directions = (...of: readonly (readonly [string, KeptDirection | null])[]) => new Map(of);
  const kept = async (store: ScoreDirections, project: string) => [...(await store.get(project))];
  return [
    law("a new project has no directions", async (store) => {
      expectSame(await kept(store, "acme/demo"), []);
    }),

    law("the last direction of a score is kept, in order of fields, and null unsets it", async (store) => {
      await store.put("acme/demo", directions(["scores.b", "lower"], ["scores.a", "higher"]));
      await store.put("acme/demo", directions(["scores.b", "none"], ["scores.c", "lower"]));
      expectSame(await kept(store, "acme/demo"), [
        ["scores.a", "higher"],
        ["scores.b", "none"],
        ["scores.c", "lower"],
      ]);
      await store.put("acme/demo", directions(["scores.a", null], ["scores.never", null]));
      expectSame(await kept(store, "acme/demo"), [
        ["scores.b", "none"],
        ["scores.c", "lower"],
      ]);
    }),

    law("projects have separate directions, of fields with any characters", async (store) => {
      const field = 'scores.f1\\.macro"]\u{1f600}';
      await store.put("acme/demo", directions([field, "higher"]));
      await store.put("acme/other", directions([field, "lower"]));
      expectSame(await kept(store, "acme/demo"), [[field, "higher"]]);
      expectSame(await kept(store, "acme/other"), [[field, "lower"]]);
    }),
  ];
}
