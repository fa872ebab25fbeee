// The OpenTelemetry SDK that users preload into the command (`node --import`) to export its spans; here with an
// exporter that writes each span as a line of JSON to the file ASSAY_TEST_SPANS.

import { appendFileSync } from "node:fs";
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { ExportResultCode, W3CTraceContextPropagator } from "@opentelemetry/core";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

const exporter = {
  export(spans, done) {
    const lines = spans.map((span) =>
      JSON.stringify({
        ...{ name: span.name, kind: span.kind, attributes: span.attributes, status: span.status.code },
        ...{ trace: span.spanContext().traceId, id: span.spanContext().spanId },
        parent: span.parentSpanContext?.spanId ?? null,
      }),
    );
    appendFileSync(process.env.ASSAY_TEST_SPANS, `${lines.join("\n")}\n`);
    done({ code: ExportResultCode.SUCCESS });
  },
  shutdown: async () => {},
};
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
);
