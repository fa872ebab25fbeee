// What does a request through `assay serve` cost, beside asking its engine directly, and beside another gateway? Usage
// is recorded and on the disk before an answer ends. The engine, the gateways and who asks are processes of their own.

import { client, type Wish } from "./gateway/client.ts";
import { type Address, type Gateways, startGateways } from "./gateway/processes.ts";
import { type Effort, interleave, timingOf } from "./interleave.ts";
import { type Measurement, single } from "./measurement.ts";
import { program, progress } from "./program.ts";
import { ASSAY } from "./targets.ts";

const DATA = "chats over HTTP";
const PORTKEY = "Portkey";
const DIRECT = "direct";
/** Chunks of a streamed answer: a few sentences. */
const CHUNKS = 100;
/** Requests at once, for throughput. */
const BUSY = 32;
/** Streams at once, for memory. */
const STREAMS = 1000;

await program(async ({ effort }) => {
  const gateways = await startGateways();
  try {
    const seconds = effort.rounds >= 10 ? 60 : 15;
    return [
      ...(await latency(gateways, effort)),
      ...(await throughput(gateways, effort.rounds)),
      ...(await manyStreams(gateways, seconds)),
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

/** One request after another. */
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

/** As many requests as there is room for, for a second at a time, in turns. */
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

/** A thousand streams that are always open, each with a chunk ten times a second; the most memory in either half of the time. */
async function manyStreams(gateways: Gateways, seconds: number): Promise<readonly Measurement[]> {
  const found: Measurement[] = [];
  for (const [contender, gateway] of [
    [ASSAY, gateways.assay],
    [PORTKEY, gateways.portkey],
  ] as const) {
    progress(`${STREAMS} streams at once through ${contender}, for ${seconds} s`);
    const one = client(gateway);
    const begun = performance.now();
    const resident: number[] = [];
    const sampling = setInterval(() => resident.push(gateway.resident()), 1000);
    let [answers, failed] = [0, 0];
    const stream = async () => {
      while (performance.now() - begun < seconds * 1000) {
        await one.chat({ chunks: 20, gap: 100 }).then(
          () => answers++,
          () => failed++,
        );
      }
    };
    await Promise.all(Array.from({ length: STREAMS }, stream));
    clearInterval(sampling);
    one.close();
    progress(
      `${answers} whole streams, ${failed} failed; MiB: ${resident.map((bytes) => Math.round(bytes / 2 ** 20)).join(" ")}`,
    );
    const half = Math.floor(resident.length / 2);
    const [early, late] = [Math.max(...resident.slice(0, half)), Math.max(...resident.slice(half))];
    found.push(
      single(DATA, `${STREAMS} streams: most in the first half`, contender, "bytes", early),
      single(DATA, `${STREAMS} streams: most in the second half`, contender, "bytes", late),
      single(DATA, `${STREAMS} streams: failed`, contender, "calls", failed),
    );
  }
  return found;
}
