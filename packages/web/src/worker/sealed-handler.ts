// The handler of a server, over the data of one file. Its ports are sealed: nothing is added after it was opened, and
// nothing outside of the file is asked. Runs wherever there is `Request`, `Response` and `DecompressionStream`.

import {
  chooseEvaluations,
  createHandler,
  evalResultsFace,
  type Handler,
  type Principal,
  projectDataFace,
  projectsFace,
} from "@assay/adapters-http/pure";
import { Fault, parseJson } from "@assay/base";
import { type DatasetRow, memoryCalls, memoryRows } from "@assay/calls";
import { createEvalEngine } from "@assay/eval-engine";
import type { FileData } from "./messages.ts";

/** Opens the data of a file. Rejects with an `Error` when it is not what an export wrote. */
export async function sealedHandler({ facts, calls: callParts, rows: rowParts }: FileData): Promise<Handler> {
  const { project, evaluations } = facts;
  const [calls, rows] = [memoryCalls(), memoryRows()];
  for await (const lines of lineBatches(callParts)) {
    const put = calls.putLines(project, lines);
    if (!put.ok) throw new Error(`a call of the file is none: ${put.issues[0]!.message}`);
  }
  for await (const lines of lineBatches(rowParts))
    rows.put(
      project,
      lines.map((line) => parseJson(line) as object as DatasetRow),
    );
  const engine = createEvalEngine({ calls, rows });
  const list = {
    projects: async () => [project],
    entries: async (name: string) => (name === project ? evaluations : []),
  };
  return createHandler({
    faces: [
      evalResultsFace({ engine, authenticate }),
      projectsFace({ list, authenticate }),
      projectDataFace({
        authenticate,
        data: {
          evaluations: async (name, choice = {}) =>
            chooseEvaluations(await list.entries(name), choice, (entry) => entry),
          importLines: sealed,
          exportLines: sealed,
        },
      }),
    ],
  });
}

/** Whoever has the file may read all of it. */
const authenticate = async (): Promise<Principal> => ({ id: "file", allows: () => true });

function sealed(): never {
  throw new Fault("conflict", "this is a file: nothing is imported into it or exported from it");
}

/** The lines of text that was compressed, many at a time. */
async function* lineBatches(parts: readonly Uint8Array<ArrayBuffer>[]): AsyncGenerator<readonly string[]> {
  const text = new Blob([...parts])
    .stream()
    .pipeThrough(new DecompressionStream("gzip"))
    .pipeThrough(new TextDecoderStream())
    .getReader();
  // A line that goes on in the next piece. Joined when it ends, so that a long one costs what it is long.
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
