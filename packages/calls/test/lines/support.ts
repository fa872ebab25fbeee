// Helpers shared by the tests: the ids of calls, and files as bytes.

import type { CallScan } from "../../src/index.ts";

/** The ids of a project's calls. */
export async function idsOf(calls: CallScan): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const some of calls.scan("acme/demo")) ids.push(...some.map(({ call }) => call.id));
  return ids;
}

/** Pieces of a file, as bytes. */
export async function* bytesOf(...pieces: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}
