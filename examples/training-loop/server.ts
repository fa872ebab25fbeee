// Runs the server of the command as a child process.

import { spawn } from "node:child_process";
import { once } from "node:events";

/** A running server. */
export interface Server {
  readonly url: string;
  /** Stops the server and waits until it has exited. */
  stop(): Promise<void>;
}

/** Serves a data directory on a free port; `command` is the arguments of `node`: the script of `assay`. */
export async function startServer(command: readonly string[], data: string): Promise<Server> {
  const server = spawn(process.execPath, [...command, "serve", "--data", data, "--port", "0"], {
    env: { ...process.env, ASSAY_API_KEY: "", ASSAY_TRAINING: "", ASSAY_UPSTREAMS: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    server.stdout.on("data", (piece) => {
      output += piece;
      const found = /answers at (http:\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(([code]) => reject(new Error(`the server ended with ${code}`)));
  });
  return {
    url,
    async stop() {
      server.kill("SIGTERM");
      await ended;
    },
  };
}
