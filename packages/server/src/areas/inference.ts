// Area C, and the chat completions of area B: models of remote engines, the tiny model, and trained models.

import { randomInt, randomUUID } from "node:crypto";
import { inferenceRoutes, keyRoutes } from "@assay/adapters-http";
import { openUpstreams } from "@assay/adapters-openai";
import { storedTrainedModels, tinyProvider } from "@assay/adapters-tiny";
import { nextTurn } from "@assay/base/internal";
import {
  type Catalogue,
  type CatalogueModel,
  catalogueOf,
  requestLimits,
  type UsageRecord,
} from "@assay/inference-core";
import { isBaseModel } from "@assay/model-tiny/internal";
import type { TrackingService } from "@assay/tracking-core";
import type { ModelName, TrainingService } from "@assay/training-core";
import { traceHeaders, traceUsage } from "../telemetry/tracing.ts";
import { adapterFolder } from "./adapter-folder.ts";
import type { Area, ServerContext } from "./area.ts";

/** The tiny model in the catalogue. Tiny models with other seeds are answered without being listed. */
const TINY = "assay/tiny";

/** The part of training that inference needs: its models, and the end of jobs if jobs run here. */
type InferenceTraining = Pick<TrainingService, "store" | "artifacts"> &
  Partial<TrainingService> &
  Partial<Pick<TrackingService, "aliasedStep">>;

/** Chat completions, responses, the list of models, usage and keys. */
export async function openInference(
  context: ServerContext,
  { store: trained, artifacts, deleteModel, aliasedStep }: InferenceTraining,
): Promise<Area> {
  const { data, folder, authenticate, keyless, keys, memory, onError } = context;
  const now = Date.now;
  const ledger = await data.stores.openUsage({ onDamage: (message) => onError(new Error(message)) });
  const upstreams = openUpstreams(context.upstreams, {
    now,
    placeAdapter: adapterFolder(artifacts, folder),
    headers: traceHeaders,
  });
  const tiny = tinyProvider({ artifacts, pause: nextTurn, newSeed: () => randomInt(2 ** 47) });
  const catalogue = withTiny(upstreams.models, (id) => ({ id, provider: tiny, trainedProvider: tiny }));
  const listed = new Set(catalogue.keys());
  const inference = {
    catalogue,
    trainedModels: storedTrainedModels(trained, aliasedStep),
    limits: requestLimits(context.limits),
    usage: {
      record(record: UsageRecord) {
        context.onUsage?.(record, (model) => listed.has(model));
        traceUsage(record);
        return ledger.record(record);
      },
    },
    now,
    newId: randomUUID,
  };
  const remove =
    deleteModel &&
    (async (name: ModelName) => {
      const model = await trained.modelNamed(name);
      if (model === undefined || model.deleted !== undefined) return false;
      await deleteModel(model.id);
      return true;
    });
  return {
    routes: [
      inferenceRoutes({
        ...{ inference, usage: ledger, prices: context.prices, deleteModel: remove },
        ...{ authenticate, memory, onError, since: context.since },
        keyName: async (id) => (await keys.get(id))?.name,
      }),
      keyRoutes({ keys, authenticate, keyless, now, onError }),
    ],
    async close() {
      await upstreams.close();
      await ledger.close();
    },
  };
}

/** The models of engines, then the tiny model, unless an engine is configured under its name. */
function withTiny(models: readonly CatalogueModel[], tiny: (id: string) => CatalogueModel): Catalogue {
  const configured = models.some(({ id }) => id === TINY);
  const listed = catalogueOf(configured ? models : [...models, tiny(TINY)]);
  return {
    get: (id) => listed.get(id) ?? (isBaseModel(id) ? tiny(id) : undefined),
    keys: () => listed.keys(),
  };
}
