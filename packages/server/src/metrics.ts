// What a server counts of itself, for Prometheus. Labels are routes, statuses, models of the configuration: nothing that
// who asks can make up, and never a key, a project or a text.

import type { AnsweredRequest } from "@assay/adapters-http/internal";
import { Fault } from "@assay/base";
import type { UsageRecord } from "@assay/inference-core";
import type { ServerStores } from "./server-data.ts";

/** Where a server says what happens, and what all of it adds up to. */
export interface ServerMetrics {
  readonly contentType: string;
  /** All metrics, in the text format of Prometheus; of the store, those that it can say now. */
  text(stores: ServerStores): Promise<string>;
  /** A request was answered. */
  answered(request: AnsweredRequest): void;
  /** Something failed. */
  failed(error: unknown): void;
  /** So many streams are open. */
  streams(open: number): void;
  /** A model was used; `isListed` says whether a model is in the catalogue. */
  used(record: UsageRecord, isListed: (model: string) => boolean): void;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Seconds: from what is in memory to what a query may take. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Begins to count. */
export async function serverMetrics(): Promise<ServerMetrics> {
  // A bundled CommonJS module has only its default export. Loaded when metrics are first requested.
  const { default: prometheus } = await import("prom-client");
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = prometheus;
  const register = new Registry();
  const registers = [register];
  // The event loop's delay, memory, handles, garbage collection.
  collectDefaultMetrics({ register });
  const requests = new Counter({
    name: "assay_http_requests_total",
    help: "Requests answered, by route; route none for those that matched no route.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "assay_http_request_duration_seconds",
    help: "Seconds until an answer began.",
    labelNames: ["method", "route"],
    buckets: BUCKETS,
    registers,
  });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const streams = gauge("assay_open_streams", "Answers that are being streamed.");
  const isReady = gauge("assay_store_up", "1 when the store answers, else 0.");
  const projects = gauge("assay_projects", "Projects with logged data.");
  const evaluations = gauge("assay_evaluations", "Evaluations that are stored.");
  const trials = gauge("assay_trials", "Trials that are stored.");
  const jobs = gauge("assay_training_jobs", "Training jobs, by status.", ["status"]);
  const tokens = new Counter({
    name: "assay_tokens_total",
    help: "Tokens, by model; trained models count as one, and so do models that are not listed.",
    labelNames: ["model", "kind"],
    registers,
  });
  const faults = new Counter({
    name: "assay_disk_faults_total",
    help: "Failures to read or write a file, by kind.",
    labelNames: ["code"],
    registers,
  });

  const readStores = async (stores: ServerStores): Promise<void> => {
    // What is not known is not there: a zero would say that everything is gone.
    for (const one of [projects, evaluations, trials]) one.remove();
    jobs.reset();
    try {
      await stores.check?.();
      const counts = await stores.counts?.();
      isReady.set(1);
      if (counts === undefined) return;
      projects.set(counts.projects);
      evaluations.set(counts.evaluations);
      trials.set(counts.trials);
      for (const [status, count] of Object.entries(counts.jobs)) jobs.set({ status }, count);
    } catch {
      // That it does not answer is what is to be seen.
      isReady.set(0);
    }
  };

  return {
    contentType: register.contentType,
    async text(stores) {
      await readStores(stores);
      return register.metrics();
    },
    answered({ method: sent, route = "none", status, milliseconds }) {
      const method = METHODS.has(sent) ? sent : "other";
      requests.inc({ method, route, status });
      durations.observe({ method, route }, milliseconds / 1000);
    },
    failed(error) {
      if (error instanceof Fault && (error.file !== undefined || error.code === "exhausted"))
        faults.inc({ code: error.code });
    },
    streams: (open) => streams.set(open),
    used({ model: name, step, promptTokens, generatedTokens }, isListed) {
      const model = step !== null ? "trained" : isListed(name) ? name : "other";
      tokens.inc({ model, kind: "prompt" }, promptTokens);
      tokens.inc({ model, kind: "generated" }, generatedTokens);
    },
  };
}
