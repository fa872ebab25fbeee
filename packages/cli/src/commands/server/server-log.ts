// The log of a server: errors always, and with --log one line of JSON for each request.

import { currentRequestId } from "@assay/adapters-http";
import type { AccessLogEntry } from "@assay/adapters-http/internal";
import { type CliContext, log } from "../../terminal/cli-context.ts";
import { errorLine } from "../../terminal/failure.ts";
import { plainJson } from "../../terminal/plain-text.ts";

/** The log of a server. */
export interface ServerLog {
  /** Logs a failure with the ID of its request. */
  readonly onError: (error: unknown) => void;
  /** Logs an answered request; absent unless requested. */
  readonly onAnswer?: (answered: AccessLogEntry) => void;
}

/** The log of a server on stderr: errors as lines for people, or with `requests` everything as lines of JSON. */
export async function serverLog(context: CliContext, requests: boolean): Promise<ServerLog> {
  if (!requests) {
    return {
      onError(error) {
        const id = currentRequestId();
        log(context, `assay: ${errorLine(context, error)}${id === undefined ? "" : ` (request ${id})`}`);
      },
    };
  }
  // A CommonJS module has only its default export, wherever it is bundled.
  const { default: pino } = await import("pino");
  const level = (label: string) => ({ level: label });
  const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level } };
  const logger = pino(options, { write: (line) => void context.stderr.stream.write(plainJson(line)) });
  return {
    onError: (error) => logger.error({ id: currentRequestId() }, errorLine(context, error)),
    onAnswer: ({ milliseconds, ...answered }) => logger.info({ ...answered, ms: milliseconds }, "answered"),
  };
}
