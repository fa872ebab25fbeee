// Receives traces of Weave clients and OpenTelemetry exporters, which only need another address. Evaluation queries
// include them.

import { randomUUID } from "node:crypto";
import { otlpRoutes, weaveRoutes } from "@assay/adapters-http";
import type { PriceAt } from "@assay/adapters-http/internal";
import { nextTurn } from "@assay/base/internal";
import { projectPrices } from "../data/project-prices.ts";
import type { Area, ServerContext } from "./area.ts";

/** The trace-server interface for Weave clients, and OTLP, over the data directory. */
export function openTraces({ data, prices, authenticate, memory, onError }: ServerContext): Area {
  const now = () => new Date().toISOString();
  const stores = data.traces;
  const pricesIn = async (project: string): Promise<PriceAt> =>
    (await projectPrices(stores.costs, prices, project)) ?? (() => undefined);
  return {
    routes: [
      weaveRoutes({
        stores,
        pricesIn,
        authenticate,
        now,
        newId: randomUUID,
        pause: nextTurn,
        memory,
        onError,
      }),
      otlpRoutes({ stores, authenticate, memory, onError }),
    ],
  };
}
