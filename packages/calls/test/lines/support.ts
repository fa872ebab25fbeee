// What the tests share: the ids of calls, and bytes as a file gives them.

import type { CallScan } from "../../src/index.ts";

/** The ids of a project's calls. */
export async function idsOf(calls: CallScan): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const some of calls.scan("acme/demo")) ids.push(...some.map(({ call }) => call.id));
  return ids;
}

/** Bytes as a file gives them. */
export async function* bytesOf(...pieces: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}
