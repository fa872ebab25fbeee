// What does a request through `assay serve` cost, compared with direct access to its engine and with another gateway?
// Usage is recorded before an answer ends. The engine, the gateways and the client run in separate processes.

import { client, type Wish } from "./gateway/client.ts";
import { manyStreams } from "./gateway/many-streams.ts";
import { type Address, type Gateways, startGateways } from "./gateway/processes.ts";
import { type Effort, interleave, timingOf } from "./interleave.ts";
import type { Measurement } from "./measurement.ts";
import { program, progress } from "./program.ts";
import { ASSAY } from "./targets.ts";

const DATA = "chats over HTTP";
const PORTKEY = "Portkey";
const DIRECT = "direct";
/** The chunks of a streamed answer: a few sentences. */
const CHUNKS = 100;
/** The number of concurrent requests for throughput. */
const BUSY = 32;

await program(async ({ effort }) => {
  const gateways = await startGateways();
  try {
    return [
      ...(await latency(gateways, effort)),
      ...(await throughput(gateways, effort.rounds)),
      ...(await manyStreams(gateways, DATA, effort.rounds >= 10)),
    ];
  } finally {
    await gateways.close();
  }
});

function contenders({ direct, assay, portkey }: Gateways): readonly (readonly [string, Address])[] {
  return [
    [DIRECT, direct],
    [ASSAY, assay],
    [PORTKEY, portkey],
  ];
}

/** Latency of sequential requests. */
async function latency(gateways: Gateways, effort: Effort): Promise<readonly Measurement[]> {
  const clients = contenders(gateways).map(([name, address]) => [name, client(address)] as const);
  const tasksOf = (act: (one: ReturnType<typeof client>, name: string) => Promise<unknown>) =>
    Object.fromEntries(clients.map(([name, one]) => [name, () => act(one, name)]));
  const measured = async (workload: string, wish: Wish) => {
    progress(workload);
    const firsts = new Map<string, number[]>(clients.map(([name]) => [name, []]));
    const longer = { ...effort, turn: 5 * effort.turn, warmup: 10 * effort.warmup };
    const timings = await interleave(
      tasksOf(async (one, name) => firsts.get(name)?.push((await one.chat(wish)).first)),
      longer,
    );
    return { timings, firsts };
  };
  const rows = (workload: string, timings: Readonly<Record<string, ReturnType<typeof timingOf>>>) =>
    clients.map(
      ([contender]): Measurement => ({ data: DATA, workload, contender, unit: "ms", ...timings[contender]! }),
    );

  const whole = await measured("a whole answer", {});
  const streamed = await measured(`an answer of ${CHUNKS} chunks`, { chunks: CHUNKS });
  for (const [, one] of clients) one.close();
  const first = Object.fromEntries(clients.map(([name]) => [name, timingOf(streamed.firsts.get(name)!)]));
  return [
    ...rows("a whole answer", whole.timings),
    ...rows(`an answer of ${CHUNKS} chunks`, streamed.timings),
    ...rows("the first chunk of it", first),
  ];
}

/** Throughput of concurrent requests, in turns of one second. */
async function throughput(gateways: Gateways, rounds: number): Promise<readonly Measurement[]> {
  const found: Measurement[] = [];
  for (const [workload, wish] of [
    ["whole answers", {}],
    [`answers of ${CHUNKS} chunks`, { chunks: CHUNKS }],
  ] as const) {
    progress(`${workload}, ${BUSY} at once`);
    const rates = new Map<string, number[]>(contenders(gateways).map(([name]) => [name, []]));
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const [name, address] of contenders(gateways)) {
        const one = client(address);
        let answers = 0;
        const begun = performance.now();
        const ask = async () => {
          while (performance.now() - begun < 1000) {
            await one.chat(wish);
            answers++;
          }
        };
        await Promise.all(Array.from({ length: BUSY }, ask));
        if (round > 0) rates.get(name)?.push((1000 * answers) / (performance.now() - begun));
        one.close();
      }
    }
    for (const [contender, of] of rates)
      found.push({
        data: DATA,
        workload: `${workload}, ${BUSY} at once`,
        contender,
        unit: "calls/s",
        ...timingOf(of),
      });
  }
  return found;
}
