// A source of calls that keeps none: it reads an evaluation's lines again on each request. Like a store on disk, and
// unlike calls in memory, it leaves caching to the engine.

import { type CallTree, readCallLine } from "@assay/calls";
import type { Call, CallSource } from "@assay/eval-engine";
import type { Dataset } from "./dataset.ts";

const BATCH = 1024;

/** The calls of `dataset`, whose lines have each call's children after it. */
export function lineCalls(dataset: Dataset): CallSource {
  const roots = new Map(
    dataset.evaluations.map((id, e) => {
      const [first] = dataset.lines(e);
      return [id, callIn(first!)];
    }),
  );
  return {
    version: () => 1,
    calls: (_project, ids) => ids.map((id) => roots.get(id)),
    async *trees(_project, root) {
      let batch: { call: Call; children: Call[] }[] = [];
      for (const line of dataset.lines(dataset.evaluations.indexOf(root))) {
        const call = callIn(line);
        if (call.parent_id === null) continue;
        if (call.parent_id !== root) {
          batch.at(-1)!.children.push(call);
          continue;
        }
        if (batch.length === BATCH) {
          yield batch satisfies readonly CallTree[];
          batch = [];
        }
        batch.push({ call, children: [] });
      }
      yield batch;
    },
    changes: () => [],
  };
}

function callIn(line: string): Call {
  const call = readCallLine(line);
  if (!call.ok) throw new Error(`not a call: ${line}`);
  return call.value;
}
