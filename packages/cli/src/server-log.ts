// The log of a server: errors always, and with --log one line of JSON for each request.

import { currentRequestId } from "@assay/adapters-http";
import type { AnsweredRequest } from "@assay/adapters-http/internal";
import { errorLine } from "./failure.ts";
import { plainJson } from "./plain-text.ts";
import { say, type World } from "./world.ts";

/** The log of a server. */
export interface ServerLog {
  /** Logs a failure with the ID of its request. */
  readonly onError: (error: unknown) => void;
  /** Logs an answered request; absent unless requested. */
  readonly onAnswer?: (answered: AnsweredRequest) => void;
}

/** The log of a server on stderr: errors as lines for people, or with `requests` everything as lines of JSON. */
export async function serverLog(world: World, requests: boolean): Promise<ServerLog> {
  if (!requests) {
    return {
      onError(error) {
        const id = currentRequestId();
        say(world, `assay: ${errorLine(world, error)}${id === undefined ? "" : ` (request ${id})`}`);
      },
    };
  }
  // A CommonJS module has only its default export, wherever it is bundled.
  const { default: pino } = await import("pino");
  const level = (label: string) => ({ level: label });
  const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level } };
  const log = pino(options, { write: (line) => void world.stderr.stream.write(plainJson(line)) });
  return {
    onError: (error) => log.error({ id: currentRequestId() }, errorLine(world, error)),
    onAnswer: ({ milliseconds, ...answered }) => log.info({ ...answered, ms: milliseconds }, "answered"),
  };
}
