// The body of a query, from a file or the standard input.

import type { CliContext } from "../terminal/cli-context.ts";
import { EXIT, Failure } from "../terminal/failure.ts";
import { inputFile } from "./input-file.ts";

/** The body in a file; `-` is standard input. */
export async function readBodyFile(context: CliContext, path: string): Promise<unknown> {
  const file = await inputFile(context, path);
  const pieces: Uint8Array[] = [];
  for await (const piece of file.read()) pieces.push(piece);
  const text = Buffer.concat(pieces).toString("utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "cannot be parsed";
    throw new Failure(EXIT.usage, `${file.name}: not JSON: ${reason}`, { cause: error });
  }
}
