// Runs mingo in a separate thread: in the main heap, every garbage collection would traverse its millions of objects
// while other contenders are measured.

import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { Answer } from "../answer.ts";
import { mmluPro } from "../mmlu-pro.ts";
import { synthetic } from "../synthetic.ts";
import type { Workload } from "../workloads.ts";
import type { Contender } from "./contender.ts";
import { mingoContender } from "./mingo.ts";

/** Its name in tables. */
export const MINGO = "mingo";

/** What the thread loads, and whether it keeps texts; see `mingoContender`. */
interface Load {
  readonly rows: number;
  /** The folder of the real evaluations, instead of synthetic rows. */
  readonly folder: string | undefined;
  readonly texts: boolean;
}

interface Question {
  readonly workload: Workload;
  readonly turn: number;
}

/** Starts the thread; resolves when its objects are loaded. Each question and each answer is one message. */
export async function mingoThread(load: Load): Promise<Contender> {
  // A thread does not inherit the process's TypeScript loader.
  const begin = `import("${import.meta.resolve("tsx/esm/api")}").then(({ register }) => {
    register();
    return import("${import.meta.url}");
  });`;
  const worker = new Worker(begin, {
    eval: true,
    workerData: load,
    resourceLimits: { maxOldGenerationSizeMb: 16_384 },
  });
  const [workloads] = (await once(worker, "message")) as [readonly Workload[]];
  return {
    name: MINGO,
    workloads,
    answer: async (workload, turn) => {
      const answered = once(worker, "message");
      worker.postMessage({ workload, turn } satisfies Question);
      return ((await answered) as [Answer])[0];
    },
    close: async () => {
      await worker.terminate();
    },
  };
}

if (!isMainThread) {
  const { rows, folder, texts } = workerData as Load;
  const contender = mingoContender(folder === undefined ? synthetic({ rows }) : mmluPro(folder), { texts });
  parentPort!.on("message", async ({ workload, turn }: Question) => {
    parentPort!.postMessage(await contender.answer(workload, turn));
  });
  parentPort!.postMessage(contender.workloads);
}
