// An application that evaluates itself with OpenTelemetry's SDK and exporters, unmodified: a span for each answer, with
// one evaluation result as an event and another as a child span of an evaluator. opentelemetry.test.ts runs it.

import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";

const [, , url, key, encoding, model, right] = process.argv;
const binary = encoding === "protobuf";
const Exporter = binary ? ProtobufExporter : JsonExporter;
const exporter = new Exporter({
  url: `${url}/otel/v1/traces`,
  headers: { Authorization: `Bearer ${key}`, ...(!binary && { project_id: "acme/demo" }) },
  compression: "gzip",
});
const named = binary ? { "wandb.entity": "acme", "wandb.project": "demo" } : {};
const provider = new BasicTracerProvider({
  resource: resourceFromAttributes({ "service.name": "sums", "service.version": "1.2", ...named }),
  spanProcessors: [new BatchSpanProcessor(exporter)],
});
const tracer = provider.getTracer("app");

for (const [i, question] of ["2+2", "3+4"].entries()) {
  const chat = tracer.startSpan(`chat ${model}`);
  const message = (role, content) => JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
  chat.setAttributes({
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": model,
    "gen_ai.input.messages": message("user", question),
    "gen_ai.output.messages": message("assistant", `answer ${i}`),
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 5,
  });
  const links = [{ context: chat.spanContext(), attributes: { why: "judged" } }];
  const judge = tracer.startSpan("judge", { links }, trace.setSpan(ROOT_CONTEXT, chat));
  judge.setAttributes({
    "wandb.display_name": "the judge",
    "wandb.thread_id": "sums",
    "gen_ai.evaluation.name": "helpful",
    "gen_ai.evaluation.score.value": 0.25 * (i + 1),
    "gen_ai.evaluation.score.label": i === 0 ? "poor" : "fair",
  });
  judge.end();
  // The evaluator's span is sent before the span that it evaluates.
  await provider.forceFlush();
  chat.addEvent("gen_ai.evaluation.result", {
    "gen_ai.evaluation.name": "exact",
    "gen_ai.evaluation.score.value": i < Number(right) ? 1 : 0,
    "gen_ai.evaluation.explanation": "compared with the answer",
  });
  chat.end();
}
await provider.shutdown();
