// What Weave clients and OpenTelemetry exporters log to: they set one address, and evaluation queries answer what they log.

import { randomUUID } from "node:crypto";
import { otlpFace, weaveFace } from "@assay/adapters-http";
import { nextTurn } from "@assay/base/internal";
import type { Area, ServerContext } from "./area.ts";

/** The trace-server interface of Weave's clients, and OTLP, over the data directory. */
export function openTraces({ data, authenticate, memory, onError }: ServerContext): Area {
  const now = () => new Date().toISOString();
  const stores = data.traces;
  return {
    faces: [
      weaveFace({ stores, authenticate, now, newId: randomUUID, pause: nextTurn, memory, onError }),
      otlpFace({ stores, authenticate, memory, onError }),
    ],
  };
}
