// `assay serve` as it is shipped: the built command in a process of its own, and requests with any header at all.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { folder } from "./world.ts";

const COMMAND = fileURLToPath(new URL("../bundle/assay.js", import.meta.url));

/** A server that answers. */
export interface BuiltServer {
  readonly url: string;
  /** Its data directory. */
  readonly data: string;
  readonly pid: number;
  /** What it has written to stdout and stderr so far. */
  readonly said: () => string;
  /** Ends it, and resolves when it has ended. */
  readonly stop: (signal?: "SIGTERM" | "SIGKILL") => Promise<void>;
}

/** What a server may be told. */
export interface BuiltOptions {
  readonly data?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with what ends the server, when it must outlive the test that started it. */
  readonly keep?: (stop: () => Promise<void>) => void;
}

/** Runs the built command; resolves once it has ended. */
export async function built(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = start(args, env);
  const text = { stdout: "", stderr: "" };
  child.stdout.on("data", (piece: Buffer) => {
    text.stdout += piece;
  });
  child.stderr.on("data", (piece: Buffer) => {
    text.stderr += piece;
  });
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, ...text };
}

/** Serves a data directory until the test ends. */
export async function builtServer(
  args: readonly string[] = [],
  { data = folder(), env = {}, keep = onTestFinished }: BuiltOptions = {},
): Promise<BuiltServer> {
  const child = start(["serve", "--data", data, "--port", "0", ...args], env);
  const ended = once(child, "close");
  const stop = async (signal: "SIGTERM" | "SIGKILL" = "SIGTERM") => {
    child.kill(signal);
    await ended;
  };
  keep(() => stop("SIGKILL"));
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (piece: Buffer) => {
      said += piece;
      const found = /answers at (http:\S+)[\s\S]*Ctrl-C/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    void ended.then(() => reject(new Error(`assay serve ended: ${said}`)));
  });
  return { url, data, pid: child.pid!, said: () => said, stop };
}

function start(args: readonly string[], env: Readonly<Record<string, string>>) {
  if (!existsSync(COMMAND)) throw new Error("the command is not built: npm run build");
  return spawn(process.execPath, [COMMAND, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** An answer, whole. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What to send. Headers are sent as they are, `Host` and `Origin` too, which `fetch` does not let a test set. */
export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks a server. */
export function raw(
  server: Pick<BuiltServer, "url">,
  path: string,
  { method = "GET", headers = {}, body }: RawRequest = {},
): Promise<RawAnswer> {
  // Node's client frames the bodies of some methods alone.
  const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const init = { method, headers: { ...length, ...headers } };
    const asked = request(`${server.url}${path}`, init, (response) => {
      let text = "";
      response.on("data", (piece: Buffer) => {
        text += piece;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
      response.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(body);
  });
}
