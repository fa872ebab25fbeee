// Metrics of a server for Prometheus. Labels are routes, statuses, and models of the configuration: never values that
// clients can choose, keys, projects or texts.

import type { AccessLogEntry } from "@assay/adapters-http/internal";
import { Fault } from "@assay/base";
import type { UsageRecord } from "@assay/inference-core";
import type { ServerStores } from "../data/server-data.ts";

/** Collects the server's metrics. */
export interface ServerMetrics {
  readonly contentType: string;
  /** All metrics in the Prometheus text format, with the current counts of the stores. */
  text(stores: ServerStores): Promise<string>;
  /** A request was answered. */
  answered(request: AccessLogEntry): void;
  /** Something failed. */
  failed(error: unknown): void;
  /** The number of open streams. */
  streams(open: number): void;
  /** A model was used; `isListed` tells whether a model is in the catalogue. */
  used(record: UsageRecord, isListed: (model: string) => boolean): void;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** In seconds, from answers out of memory up to long queries. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Starts counting. */
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
    help: "Requests answered, by route; route none if no route matched.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "assay_http_request_duration_seconds",
    help: "Seconds until a response started.",
    labelNames: ["method", "route"],
    buckets: BUCKETS,
    registers,
  });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const streams = gauge("assay_open_streams", "Responses being streamed.");
  const isReady = gauge("assay_store_up", "1 when the store answers, else 0.");
  const projects = gauge("assay_projects", "Projects with logged data.");
  const evaluations = gauge("assay_evaluations", "Stored evaluations.");
  const trials = gauge("assay_trials", "Stored trials.");
  const jobs = gauge("assay_training_jobs", "Training jobs, by status.", ["status"]);
  const tokens = new Counter({
    name: "assay_tokens_total",
    help: "Tokens, by model. All trained models count as one, and so do all unlisted models.",
    labelNames: ["model", "kind"],
    registers,
  });
  const faults = new Counter({
    name: "assay_disk_faults_total",
    help: "File read and write errors, by kind.",
    labelNames: ["code"],
    registers,
  });

  const readStores = async (stores: ServerStores): Promise<void> => {
    // Unknown metrics are left out: a zero would mean that everything is gone.
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
      // The metric itself reports that the store does not answer.
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
