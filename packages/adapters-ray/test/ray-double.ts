// A test double of a Ray cluster over a real socket: the used part of its job API, with the answers of Ray 2.59, and
// workers that talk to a gateway over HTTP.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** The actions of a worker on the double. */
export interface DoubleWorker {
  readonly url: string;
  /** Sends messages; resolves to the answer. */
  say(...messages: readonly unknown[]): Promise<{ readonly status: number; readonly stop: boolean }>;
  /** Uploads a file. */
  leave(name: string, text: string): Promise<{ name: string; sha256: string; size: number }>;
  /** Resolves when Ray sends it a signal. */
  readonly stopped: Promise<void>;
}

interface DoubleJob {
  status: "PENDING" | "RUNNING" | "STOPPED" | "SUCCEEDED" | "FAILED";
  readonly body: { readonly entrypoint: string; readonly runtime_env: { env_vars: Record<string, string> } };
  readonly stop: () => void;
  stops: number;
  error_type?: string;
  driver_exit_code?: number;
}

/** The behaviour of the cluster. */
export interface RayDoubleOptions {
  /** Runs a job's worker; resolves to its exit code. */
  readonly worker: (worker: DoubleWorker) => Promise<number>;
  /** How many stop requests a pending job ignores before it stops. */
  readonly deafStops?: number;
  /**
   * The outcomes of the first submissions: `refused` (503), or `lost` (accepted, but the connection breaks before the
   * answer).
   */
  readonly submissions?: readonly ("refused" | "lost")[];
  /** Whether jobs stay pending. */
  readonly pending?: boolean;
}

/** A cluster with this behaviour. */
export async function openRay({
  worker,
  deafStops = 0,
  submissions = [],
  pending = false,
}: RayDoubleOptions) {
  const fates = [...submissions];
  const jobs = new Map<string, DoubleJob>();
  const refusing = { status: 0, text: "" };
  const running: Promise<void>[] = [];
  const stops: (() => void)[] = [];

  const begin = (job: DoubleJob, stopped: Promise<void>) => {
    job.status = "RUNNING";
    const url = job.body.runtime_env.env_vars["ASSAY_RUN_URL"]!;
    const post = (path: string, body: string) => fetch(url + path, { method: "POST", body });
    running.push(
      worker({
        url,
        stopped,
        async say(...messages) {
          const response = await post("/messages", JSON.stringify({ attempt: 1, messages }));
          const answer = (await response.json()) as { stop?: boolean };
          return { status: response.status, stop: answer.stop ?? false };
        },
        async leave(name, text) {
          await post("/files", text);
          const sha256 = createHash("sha256").update(text).digest("hex");
          return { name, sha256, size: text.length };
        },
      }).then((code) => {
        if (job.status !== "RUNNING") return;
        job.status = code === 0 ? "SUCCEEDED" : "FAILED";
        if (code !== 0)
          Object.assign(job, { error_type: "JOB_ENTRYPOINT_COMMAND_ERROR", driver_exit_code: code });
      }),
    );
  };

  /** The answer, or undefined if the connection breaks. */
  const answer = async (request: IncomingMessage): Promise<readonly [number, string] | undefined> => {
    if (refusing.status > 0) return [refusing.status, refusing.text];
    // Ray considers clients that send these headers browsers.
    if (Object.keys(request.headers).some((name) => name.startsWith("sec-fetch-")))
      return [405, "Method Not Allowed"];
    if (request.url === "/api/version") return [200, JSON.stringify({ version: "4", ray_version: "2.59.0" })];
    const [, id = "", action] = /^\/api\/jobs\/([^/]*)(?:\/(\w+))?$/.exec(request.url ?? "") ?? [];
    if (request.method === "POST" && id === "") {
      const body = JSON.parse(await textOf(request));
      const fate = fates.shift();
      if (fate === "refused") return [503, "Traceback: secret"];
      if (jobs.has(body.submission_id))
        return [400, `Traceback: Job with submission_id ${id} already exists.`];
      let stop = () => {};
      const stopped = new Promise<void>((resolve) => {
        stop = resolve;
      });
      stops.push(stop);
      const job: DoubleJob = { status: "PENDING", body, stop, stops: 0 };
      jobs.set(body.submission_id, job);
      if (!pending) begin(job, stopped);
      if (fate === "lost") return undefined;
      return [200, JSON.stringify({ job_id: body.submission_id, submission_id: body.submission_id })];
    }
    const job = jobs.get(decodeURIComponent(id));
    if (job === undefined) return [404, `Job ${id} does not exist`];
    if (action === "logs") return [200, JSON.stringify({ logs: `log of ${id}\n` })];
    if (action === "stop") {
      job.stops++;
      const deaf = job.status === "PENDING" && job.stops <= deafStops;
      if (!deaf && (job.status === "PENDING" || job.status === "RUNNING")) {
        job.status = "STOPPED";
        job.stop();
      }
      return [200, JSON.stringify({ stopped: true })];
    }
    return [200, JSON.stringify({ ...job, stop: undefined, body: undefined, message: "Traceback: secret" })];
  };

  const server = createServer(async (request, response) => {
    const answered = await answer(request);
    if (answered === undefined) response.destroy();
    else response.writeHead(answered[0]).end(answered[1]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    jobs,
    /** Refuses every request from now on. */
    refuse(status: number, text = "Traceback: secret") {
      Object.assign(refusing, { status, text });
    },
    async close() {
      for (const stop of stops) stop();
      await Promise.allSettled(running);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
