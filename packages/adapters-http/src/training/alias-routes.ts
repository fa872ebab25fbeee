// The routes of aliases, which name checkpoints in addition to their steps.

import { bad, ok, type Result } from "@assay/base";
import type { TrackingService } from "@assay/tracking-core";
import type { AliasTarget, CheckpointAlias } from "@assay/tracking-core/internal";
import { withBody, withModel } from "./request/authorize.ts";
import type { Acts, Parts } from "./request/handler-parts.ts";
import { answer, notFound, refuseIssues } from "./response/responses.ts";

/** The aliases of checkpoints. */
export type AliasSource = Pick<
  TrackingService,
  "checkpointAliases" | "setCheckpointAlias" | "removeCheckpointAlias"
>;

/** `/v1/preview/models/{model_id}/aliases` and the routes below. */
export function aliasHandlers({ training, smallBodies }: Parts, aliases: AliasSource | undefined): Acts {
  if (aliases === undefined)
    return { list_aliases: undefined, set_alias: undefined, delete_alias: undefined };
  return {
    list_aliases: (incoming) =>
      withModel(training, incoming, async (model) =>
        answer({ object: "list", data: (await aliases.checkpointAliases(model)).map(aliasView) }),
      ),

    set_alias: (incoming) =>
      withModel(training, incoming, (model) =>
        withBody(incoming, smallBodies, readTarget, async (target) => {
          const set = await aliases.setCheckpointAlias(model, incoming.param("alias"), target);
          return set.ok ? answer(aliasView(set.value)) : refuseIssues(set.issues);
        }),
      ),

    delete_alias: (incoming) =>
      withModel(training, incoming, async (model) => {
        const removed = await aliases.removeCheckpointAlias(model, incoming.param("alias"));
        if (!removed.ok) return refuseIssues(removed.issues, "path");
        return removed.value ? answer({ alias: incoming.param("alias"), deleted: true }) : notFound("alias");
      }),
  };
}

function aliasView({ alias, step, follows }: CheckpointAlias) {
  return { alias, step, metric: follows?.metric ?? null, goal: follows?.goal ?? null };
}

/** `{"step": 3}`, or `{"metric": "val/reward", "goal": "max"}`. */
function readTarget(raw: unknown): Result<AliasTarget> {
  const { step, metric, goal = "max" } = (raw ?? {}) as { readonly [name: string]: unknown };
  if (Number.isSafeInteger(step) && metric === undefined) return ok({ step: step as number });
  const isMetric = typeof metric === "string" && metric !== "" && metric.length <= 256;
  if (step === undefined && isMetric && (goal === "max" || goal === "min")) return ok({ metric, goal });
  const message =
    'an alias needs a step, {"step": 3}, or the best by a metric, {"metric": "val/reward", "goal": "max"}';
  return bad([{ code: "type", path: [], message }]);
}
