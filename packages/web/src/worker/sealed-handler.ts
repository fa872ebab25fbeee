// The handler of a server over the data of one file. Its ports are sealed: no data is added after opening, and nothing
// outside the file is accessed. Runs wherever `Request`, `Response` and `DecompressionStream` exist.

import {
  createHandler,
  evalResultsRoutes,
  type Handler,
  type Principal,
  projectDataRoutes,
  projectListRoutes,
} from "@assay/adapters-http/pure";
import { Fault } from "@assay/base";
import { parseJson } from "@assay/base/internal";
import { type DatasetRow, memoryCalls, memoryRows } from "@assay/calls";
import { createEvalEngine, memoryDirections } from "@assay/eval-engine";
import { chooseEvaluations } from "@assay/eval-engine/internal";
import { CALLS_PATH, callsBelow } from "./calls-below.ts";
import { counted, EvaluationIds } from "./counted-evaluations.ts";
import type { SealedData } from "./messages.ts";

/** The data to read: calls and dataset rows as JSON lines, in the order of arrival. */
export interface ReadData extends Omit<SealedData, "calls" | "rows"> {
  readonly calls: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly rows: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Opens data. Rejects with an `Error` if it was not written by an export or a reader of files. */
export function sealedHandler(data: SealedData): Promise<Handler> {
  return handlerOf({ ...data, calls: unpacked(data.calls), rows: unpacked(data.rows) });
}

/** Opens data while it arrives. Rejects as `sealedHandler` does. */
export async function handlerOf(data: ReadData): Promise<Handler> {
  const { project } = data;
  const [calls, rows] = [memoryCalls(), memoryRows()];
  const ids = new EvaluationIds();
  for await (const lines of lineBatches(data.calls)) {
    const put = calls.putLines(project, lines);
    if (!put.ok) throw new Error(`the file has an invalid call: ${put.issues[0]!.message}`);
    if (data.evaluations === undefined) ids.add(lines);
  }
  for await (const lines of lineBatches(data.rows))
    rows.put(
      project,
      lines.map((line) => parseJson(line) as object as DatasetRow),
    );
  const directions = memoryDirections();
  await directions.put(project, new Map(data.directions));
  const engine = createEvalEngine({ calls, rows, directions });
  const evaluations = data.evaluations ?? (await counted(engine, calls, project, ids.found()));
  const list = {
    projects: async () => [project],
    entries: async (name: string) => (name === project ? evaluations : []),
  };
  const handler = createHandler({
    routes: [
      evalResultsRoutes({ engine, authenticate }),
      projectListRoutes({ list, authenticate }),
      projectDataRoutes({
        authenticate,
        data: {
          evaluations: async (name, choice = {}) =>
            chooseEvaluations(await list.entries(name), choice, (some) => some),
          // Kept while the page is open: the file does not change.
          directions,
          importLines: sealed,
          exportLines: sealed,
        },
      }),
    ],
  });
  return async (request) =>
    new URL(request.url).pathname === CALLS_PATH ? callsBelow(calls, request) : handler(request);
}

/** Anyone with the file may read all of it. */
const authenticate = async (): Promise<Principal> => ({ id: "file", allows: () => true });

function sealed(): never {
  throw new Fault("conflict", "a file cannot import or export data");
}

/** Chunks of text, possibly compressed, as one text. */
function unpacked(parts: readonly Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new Blob([...parts]).stream();
  const [first, second] = parts[0] ?? [];
  const isGzip = first === 0x1f && second === 0x8b;
  return isGzip ? bytes.pipeThrough(new DecompressionStream("gzip")) : bytes;
}

/** The lines of text, many at a time. */
async function* lineBatches(
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<readonly string[]> {
  const text = bytes.pipeThrough(new TextDecoderStream()).getReader();
  // A line that continues in the next chunk. It is joined only when it ends, so that a long one takes linear time.
  let begun: string[] = [];
  for (let read = await text.read(); !read.done; read = await text.read()) {
    const lines = read.value.split("\n");
    const last = lines.pop()!;
    if (lines.length === 0) {
      begun.push(last);
      continue;
    }
    lines[0] = begun.join("") + lines[0]!;
    begun = [last];
    yield lines.filter((line) => line !== "");
  }
  const last = begun.join("");
  if (last !== "") yield [last];
}
