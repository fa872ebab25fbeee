// Options that several commands have, with their defaults from the environment.

import { type Command, Option } from "commander";
import type { CliContext } from "../terminal/cli-context.ts";
import { EXIT, Failure } from "../terminal/failure.ts";

/** The argument of `ended`: the exit code of the command. */
export type SetExitCode = (exitCode: number) => void;

/** The argument of commands that read evaluations from a project or from files. */
export const SOURCE = "ENTITY/PROJECT, or result files, which are read but not stored";

/** The exit codes of all commands, for the end of the help. */
export const EXIT_CODES: string = `
Exit codes:
  ${EXIT.ok}  success
  ${EXIT.failed}  something failed: a file, the store, a server
  ${EXIT.usage}  invalid usage or query, or something was not found
  ${EXIT.badLines}  some files or lines of an import were skipped; the others were imported
  130  interrupted with Ctrl-C (not for commands that run until interrupted)`;

/** The options for data, created once for each command that has them. */
export interface CommonOptions {
  data(): Option;
  /** Continues if something that was named does not exist. */
  allowMissing(what: string): Option;
  apiKey(what: string): Option;
  /** The key of an existing server. */
  serverKey(): Option;
  format(): Option;
  host(): Option;
  port(): Option;
  /** The server to ask, from the environment if it names one. */
  server(what: string): Option;
  /** The ClickHouse database with evaluations. */
  store(): Option;
  training(): Option;
  upstreams(): Option;
}

/** The command line to add commands to, and their dependencies. */
export interface ProgramParts {
  readonly assay: Command;
  readonly context: CliContext;
  readonly common: CommonOptions;
  readonly ended: SetExitCode;
}

/** The options in a context. */
export function commonOptions(context: CliContext): CommonOptions {
  const env = (name: string): string | undefined =>
    context.env[name] === "" ? undefined : context.env[name];
  const apiKey = (what: string) => {
    const option = new Option("--api-key <key>", `${what} (env: ASSAY_API_KEY)`);
    const key = env("ASSAY_API_KEY");
    // The help shows the description, not the value.
    return key === undefined ? option : option.default(key, "set");
  };
  const fromEnv = (variable: string, flags: string, what: string) => {
    const option = new Option(flags, what);
    const value = env(variable);
    return value === undefined ? option : option.default(value);
  };
  return {
    allowMissing: (what) => new Option("--allow-missing", what).default(false),
    apiKey,
    data: () =>
      new Option("--data <dir>", "data directory (env: ASSAY_DATA)").default(env("ASSAY_DATA") ?? ".assay"),
    serverKey: () => apiKey("API key of the server that has the data directory open"),
    format: () =>
      new Option("--format <format>", "output format (default: table on a terminal, otherwise JSON)").choices(
        ["json", "table"],
      ),
    host: () => new Option("--host <host>", "address to listen on").default("127.0.0.1"),
    port: () =>
      new Option("--port <port>", "port to listen on, 0 for any (env: ASSAY_PORT)").default(
        env("ASSAY_PORT") ?? "7777",
      ),
    server: (what) => fromEnv("ASSAY_SERVER", "--server <url>", what),
    store: () => {
      const option = new Option(
        "--store <address>",
        "the ClickHouse database with the evaluations, instead of the data directory: clickhouse://user:password@host:8123/database (env: ASSAY_STORE)",
      );
      const address = env("ASSAY_STORE");
      // It may contain a password, which the help must not show.
      return address === undefined ? option : option.default(address, "set");
    },
    training: () =>
      fromEnv(
        "ASSAY_TRAINING",
        "--training <file>",
        "file with the trainers, as YAML or JSON (env: ASSAY_TRAINING)",
      ),
    upstreams: () =>
      fromEnv(
        "ASSAY_UPSTREAMS",
        "--upstreams <file>",
        "file with the engines that answer chats, as YAML (env: ASSAY_UPSTREAMS)",
      ),
  };
}

/** The port that `text` names. */
export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65535) return port;
  throw new Failure(
    EXIT.usage,
    `"${text}" is not a port; --port and ASSAY_PORT take a number from 0 to 65535`,
  );
}

/** The number of streams in `text` that a key may have open. */
export function streamCount(text: string): number {
  return wholeNumberIn(text, "--streams", [1, 999_999], "number of streams");
}

/** The number of bytes, from GiB in `text`, that a project's files may take. */
export function storageBytes(text: string): number {
  const number = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (number > 0 && number <= 1e6) return Math.round(number * 2 ** 30);
  throw new Failure(
    EXIT.usage,
    `${JSON.stringify(text)} is not a size; --project-storage takes a number of GiB above 0, at most 1000000`,
  );
}

/** The number of seconds in `text` that a server drains before it stops. */
export function drainSeconds(text: string): number {
  return wholeNumberIn(text, "--drain", [0, 3600], "number of seconds");
}

/** The age in days in `text`. */
export function dayCount(text: string): number {
  return wholeNumberIn(text, "--older-than", [1, 36_500], "number of days");
}

/** The whole number in `text`, between these two. */
export function wholeNumberIn(
  text: string,
  option: string,
  [least, most]: readonly [number, number],
  what = "whole number",
): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new Failure(
    EXIT.usage,
    `${JSON.stringify(text)} is not a ${what}; ${option} takes a whole number from ${least} to ${most}`,
  );
}

/** The origin in `text`, in the notation of browsers: of web pages, or of a server, depending on `option`. */
export function webOrigin(text: string, option: "--cors" | "--public-url" = "--cors"): string {
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  if (origin === text && origin !== "null") return origin;
  throw new Failure(
    EXIT.usage,
    `${JSON.stringify(text)} is not an origin; ${option} takes one like https://app.example or http://localhost:3000, without a path`,
  );
}

/** An option whose value is a count. */
export function wholeNumber(flags: string, description: string): Option {
  return parsed(flags, description, "whole number", "a whole number like 20", (text) =>
    /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN,
  );
}

/** An option whose value is any number: what reads it checks its range. */
export function anyNumber(flags: string, description: string): Option {
  return parsed(flags, description, "number", "one like 0.01", (text) =>
    text.trim() === "" ? Number.NaN : Number(text),
  );
}

function parsed(
  flags: string,
  description: string,
  what: string,
  takes: string,
  read: (text: string) => number,
): Option {
  return new Option(flags, description).argParser((text: string) => {
    const value = read(text);
    if (Number.isFinite(value)) return value;
    throw new Failure(
      EXIT.usage,
      `${JSON.stringify(text)} is not a ${what}; ${flags.split(" ")[0]} takes ${takes}`,
    );
  });
}

/** For options that can be repeated: collects all values. */
export function collected(value: string, before: string[]): string[] {
  return [...before, value];
}

/** Adds the options of commands that a server answers. */
export type AtServer = (command: Command) => Command;
