// Opens an address in the user's browser: never in CI, over SSH, or without a terminal.

import { spawn } from "node:child_process";
import type { CliContext } from "../../terminal/cli-context.ts";

/** The program that opens an address, by platform. */
const OPENERS: { readonly [platform: string]: readonly string[] } = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
  linux: ["xdg-open"],
};

/** The command that opens `url`; undefined if there is none. */
export function openerOf(
  { stdout, env }: Pick<CliContext, "stdout" | "env">,
  url: string,
  platform: string = process.platform,
): readonly string[] | undefined {
  const opener = OPENERS[platform];
  const isSet = (name: string) => env[name] !== undefined && env[name] !== "";
  if (opener === undefined || stdout.columns === undefined || isSet("CI") || isSet("SSH_CONNECTION"))
    return undefined;
  if (platform === "linux" && !isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY")) return undefined;
  return [...opener, url];
}

/** Opens `url` in a browser, if possible. A failure is ignored, because the address was printed. */
export function openBrowser(context: CliContext, url: string): void {
  const [command, ...args] = openerOf(context, url) ?? [];
  if (command === undefined) return;
  const child = spawn(command, args, { detached: true, stdio: "ignore" });
  child.once("error", () => undefined);
  child.unref();
}
