// A real single-node Ray head on loopback, with its own ports.

import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** A running head. */
export interface RayHead {
  /** The address of its dashboard. */
  readonly address: string;
  /** Stops it and all its child processes. */
  stop(): Promise<void>;
}

/** The startup timeout in milliseconds. */
const START_MS = 180_000;

/** Starts a head with this Python's Ray, with its files in `folder`; rejects if it does not respond. */
export async function startRayHead(python: string, folder: string): Promise<RayHead> {
  const [port, dashboard, agent, metrics, client] = await freePorts(5);
  await mkdir(folder);
  const args = [
    "start",
    "--head",
    "--block",
    "--disable-usage-stats",
    "--node-ip-address=127.0.0.1",
    `--port=${port}`,
    "--dashboard-host=127.0.0.1",
    `--dashboard-port=${dashboard}`,
    `--dashboard-agent-listen-port=${agent}`,
    `--metrics-export-port=${metrics}`,
    `--ray-client-server-port=${client}`,
    "--num-cpus=1",
    `--object-store-memory=${100 * 2 ** 20}`,
    `--temp-dir=${folder}`,
  ];
  // `--block` keeps the command running; when it exits, the processes that it started exit too.
  const head = spawn(join(dirname(python), "ray"), args, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [head.stdout, head.stderr]) {
    stream.on("data", (piece) => {
      output = (output + piece).slice(-10_000);
    });
  }
  const ended = new Promise<void>((resolve) => head.once("exit", () => resolve()));
  const stop = async () => {
    head.kill("SIGTERM");
    const killing = setTimeout(() => process.kill(-head.pid!, "SIGKILL"), 30_000);
    await ended;
    clearTimeout(killing);
  };
  const address = `http://127.0.0.1:${dashboard}`;
  const until = Date.now() + START_MS;
  while (head.exitCode === null && Date.now() < until) {
    const answer = await fetch(`${address}/api/jobs/`).catch(() => undefined);
    if (answer?.ok) return { address, stop };
    await pause(500);
  }
  await stop();
  throw new Error(`the Ray head does not respond:
${output}`);
}

/** Free ports. All are held open together, so that they differ. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
