// Runs and artifacts that W&B's clients log, in the data directory.

import { trackingRoutes } from "@assay/adapters-http";
import type { TrackingService } from "@assay/tracking-core";
import type { Area, ServerContext } from "./area.ts";

/** The interface for W&B clients, over `tracking`. */
export async function openTracking(context: ServerContext, tracking: TrackingService): Promise<Area> {
  const { data, authenticate, memory, erase, onError, publicUrl } = context;
  const secret = await data.stores.signingSecret();
  return { routes: [trackingRoutes({ tracking, authenticate, secret, publicUrl, memory, erase, onError })] };
}
