// The command's server, in this process.

import { onTestFinished } from "vitest";
import { assay, folder } from "../run-in-process.ts";

/** A running server. */
export interface Server {
  readonly url: string;
  /** Its data directory. */
  readonly data: string;
  /** The greeting it printed. */
  readonly greeting: string;
  /** Its stderr so far. */
  readonly stderr: () => string;
  /** Stops it like a signal; resolves to its stderr. */
  stop(): Promise<string>;
}

/** Serves a data directory until the test ends. */
export async function serving(
  args: readonly string[] = [],
  {
    data = folder(),
    env = {},
  }: { readonly data?: string; readonly env?: { readonly [name: string]: string } } = {},
): Promise<Server> {
  const controller = new AbortController();
  let ended: ReturnType<typeof assay> | undefined;
  let stderr = "";
  const greeting = await new Promise<string>((resolve, reject) => {
    ended = assay(["serve", "--data", data, "--port", "0", ...args], {
      env,
      signal: controller.signal,
      onOutput: (text) => text.includes("Ctrl-C") && resolve(text),
      onError: (text) => {
        stderr += text;
      },
    });
    void ended.then(({ stderr }) => reject(new Error(stderr)));
  });
  const stop = async () => {
    controller.abort();
    return (await ended)?.stderr ?? "";
  };
  onTestFinished(async () => void (await stop()));
  const url = /answers at (http:\S+)/.exec(greeting)?.[1] ?? "";
  return { url, data, greeting, stderr: () => stderr, stop };
}
