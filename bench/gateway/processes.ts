// The gateways to compare and the engine behind them, each in a separate process.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const bench = dirname(dirname(fileURLToPath(import.meta.url)));

/** The address of a server. */
export interface Address {
  readonly url: string;
  /** Headers for every request. */
  readonly headers: { readonly [name: string]: string };
}

/** A running gateway. */
interface Gateway extends Address {
  /** The resident memory of its process in bytes; NaN without /proc. */
  resident(): number;
}

/** All servers of the benchmark. */
export interface Gateways {
  readonly direct: Address;
  readonly assay: Gateway;
  readonly portkey: Address;
  close(): Promise<void>;
}

/** Starts the engine, `assay serve` on a new data directory, and Portkey. */
export async function startGateways(): Promise<Gateways> {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const children: ChildProcess[] = [];
  const start = (args: readonly string[], stderr: "inherit" | "ignore" = "inherit") => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", stderr] });
    children.push(child);
    return child;
  };
  const close = async () => {
    for (const child of children.toReversed()) {
      child.kill("SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const port = await saying(start([join(bench, "gateway/upstream.mjs")]), /port (\d+)/);
    const engine = `http://127.0.0.1:${port}/v1`;
    const file = join(folder, "upstreams.yaml");
    writeFileSync(
      file,
      `upstreams: [{ name: bench, url: "${engine}", concurrency: 5000, models: { bench: true } }]\n`,
    );
    const command = join(bench, "../packages/cli/bundle/assay.js");
    const data = join(folder, "data");
    const server = start([command, "serve", "--data", data, "--port", "0", "--upstreams", file]);
    const url = await saying(server, /answers at (http:\S+)/);

    const free = await freePort();
    const peer = start(
      [join(bench, "node_modules/@portkey-ai/gateway/build/start-server.js"), "--headless", `--port=${free}`],
      "ignore",
    );
    peer.stdout?.resume();
    const address = `http://127.0.0.1:${free}`;
    await answering(address);
    return {
      direct: { url: engine, headers: {} },
      assay: { url: `${url}/v1`, headers: {}, resident: () => residentBytes(server) },
      portkey: {
        url: `${address}/v1`,
        headers: {
          "x-portkey-provider": "openai",
          "x-portkey-custom-host": engine,
          authorization: "Bearer none",
        },
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function saying(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (piece) => {
      output += piece;
      const found = pattern.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`a process exited with ${code}: ${output}`)));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function answering(url: string): Promise<void> {
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`no server responds at ${url}`);
}

function residentBytes({ pid }: ChildProcess): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}
