// Traces with the OpenTelemetry API: spans of requests, evaluation queries, writes to stores, training jobs and their
// steps, and model calls. Without an SDK in the process they cost nothing and are discarded; with one (`node --import
// ./tracing.mjs`) the SDK receives them. Spans must never contain keys, paths, bodies or texts of users, only routes,
// statuses, names of projects and models, and counts.

import type { Around } from "@assay/adapters-http/internal";
import type { UsageRecord } from "@assay/inference-core";
import type { Trainer } from "@assay/training-core";
import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { ServerData, ServerStores } from "../data/server-data.ts";
import { VERSION } from "../identity/version.ts";

// It looks up the registered SDK when a span starts, so it can be created before the SDK is registered.
const tracer = trace.getTracer("assay", VERSION);

/** The operation of each model route, as the OpenTelemetry conventions for generative AI name it. */
const OPERATIONS: Readonly<Record<string, string>> = {
  "/v1/chat/completions": "chat",
  "/v1/responses": "chat",
  "/v1/completions": "text_completion",
  "/v1/embeddings": "embeddings",
};

/** Answers a request inside a span, which continues the caller's trace and lasts until its stream ends. */
export const tracedRequest: Around = (request, route, answer) => {
  const caller = propagation.extract(context.active(), request.headers, {
    get: (headers, name) => headers.get(name) ?? undefined,
    keys: (headers) => [...headers.keys()],
  });
  const name = route === undefined ? request.method : `${request.method} ${route}`;
  const operation = route && OPERATIONS[route];
  const attributes: Attributes = {
    "http.request.method": request.method,
    ...(route && { "http.route": route }),
    ...(operation && { "gen_ai.operation.name": operation, "gen_ai.provider.name": "assay" }),
  };
  return tracer.startActiveSpan(name, { kind: SpanKind.SERVER, attributes }, caller, async (span) => {
    const response = await answer();
    span.setAttribute("http.response.status_code", response.status);
    if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    const streamed = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (streamed && response.body !== null && span.isRecording())
      return new Response(streamedWithin(span, response.body), response);
    span.end();
    return response;
  });
};

/**
 * A stream that is read inside a span, so that spans of its source belong to the trace. The span ends with the stream.
 */
function streamedWithin(span: Span, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const within: Context = trace.setSpan(context.active(), span);
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await context.with(within, () => reader.read());
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          controller.error(error);
        }
        span.end();
      },
      async cancel(reason) {
        span.end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The same data, with a span around each evaluation question. */
export function tracedData(data: ServerData): ServerData {
  const engine = Object.fromEntries(
    Object.entries(data.engine).map(([name, member]) => [
      name,
      typeof member === "function" ? tracedQuestion(QUESTIONS[name] ?? name, member as Question) : member,
    ]),
  ) as unknown as ServerData["engine"];
  return { ...data, engine, query: (project, body) => engine.answer(project, body) };
}

/** Span names for members whose own names would mislead. */
const QUESTIONS: Readonly<Record<string, string>> = { answer: "query", answerInParts: "query" };

type Question = (project: string, ...rest: readonly unknown[]) => unknown;

function tracedQuestion(name: string, ask: Question): Question {
  return (project, ...rest) =>
    tracer.startActiveSpan(`evaluations ${name}`, { attributes: { "assay.project": project } }, (span) => {
      try {
        const answer = ask(project, ...rest);
        if (!(answer instanceof Promise)) {
          span.end();
          return answer;
        }
        return answer.then(
          (found: unknown) => {
            span.end();
            return found;
          },
          (error: unknown) => {
            span.setStatus({ code: SpanStatusCode.ERROR }).end();
            throw error;
          },
        );
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR }).end();
        throw error;
      }
    });
}

/** The same stores, with a span around each write that records its size and project. */
export function tracedStores<Stores extends ServerStores>(stores: Stores): Stores {
  const { calls, rows, traces } = stores;
  return withOwn<ServerStores>(stores, {
    calls: withOwn(calls, {
      put: (project, some, join) =>
        appended("calls", project, some.length, () => calls.put(project, some, join)),
      putTogether: (some, join) =>
        appended("calls", undefined, some.length, () => calls.putTogether(some, join)),
    }),
    rows: withOwn(rows, {
      put: (project, some) => appended("rows", project, some.length, () => rows.put(project, some)),
    }),
    traces: withOwn(traces, {
      calls: withOwn(traces.calls, {
        put: (pieces, reading) =>
          appended("calls", undefined, pieces.length, () => traces.calls.put(pieces, reading)),
      }),
      objects: withOwn(traces.objects, {
        put: (version) => appended("objects", version.project_id, 1, () => traces.objects.put(version)),
      }),
      files: withOwn(traces.files, {
        put: (project, digest, pieces) =>
          appended("files", project, 1, () => traces.files.put(project, digest, pieces)),
      }),
      feedback: withOwn(traces.feedback, {
        put: (some) => appended("feedback", undefined, some.length, () => traces.feedback.put(some)),
      }),
    }),
  }) as Stores;
}

function appended<T>(
  what: string,
  project: string | undefined,
  count: number,
  append: () => Promise<T>,
): Promise<T> {
  const attributes: Attributes = { "assay.count": count, ...(project && { "assay.project": project }) };
  return tracer.startActiveSpan(`append ${what}`, { attributes }, (span) =>
    append()
      .catch((error: unknown) => {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      })
      .finally(() => span.end()),
  );
}

/** An object with some members replaced by `own`, for targets of any class. */
function withOwn<T extends object>(target: T, own: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof T];
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** The same trainer, with a span for each run of a job and, below it, one for each step since the step before. */
export function tracedTrainer(trainer: Trainer): Trainer {
  return {
    ...trainer,
    async *train(task, signal) {
      const { job_id, attempt, model, spec } = task;
      const attributes: Attributes = {
        "assay.project": `${model.entity}/${model.project}`,
        "assay.job": job_id,
        "assay.attempt": attempt,
        "assay.kind": spec.kind,
      };
      const job = tracer.startSpan("training job", { attributes });
      const within = trace.setSpan(context.active(), job);
      let startTime = Date.now();
      try {
        for await (const message of trainer.train(task, signal)) {
          if (message.type === "failed") job.setStatus({ code: SpanStatusCode.ERROR });
          if (message.type === "step") {
            const step = { startTime, attributes: { "assay.step": message.step } };
            tracer.startSpan("training step", step, within).end();
            startTime = Date.now();
          }
          yield message;
        }
      } catch (error) {
        job.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        job.end();
      }
    },
  };
}

/** Adds a model's usage to the request's span, by the conventions for generative AI. */
export function traceUsage({ id, entity, project, model, outcome, ...record }: UsageRecord): void {
  trace.getActiveSpan()?.setAttributes({
    "gen_ai.request.model": model,
    "gen_ai.response.id": id,
    "gen_ai.usage.input_tokens": record.promptTokens,
    "gen_ai.usage.output_tokens": record.generatedTokens,
    "assay.project": `${entity}/${project}`,
    "assay.outcome": outcome,
  });
}

/** The headers that continue the trace in an engine; empty without a trace. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
