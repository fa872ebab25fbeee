// A thousand concurrent streams, in waves: does memory grow with the number of waves, or with the length of the
// streams?

import { type Measurement, single } from "../measurement.ts";
import { progress } from "../program.ts";
import { ASSAY } from "../targets.ts";
import { client } from "./client.ts";
import type { Gateways } from "./processes.ts";

const STREAMS = 1000;
/** Milliseconds between chunks of a stream: ten words per second. */
const GAP = 100;
/** The length of each stream of a wave in seconds. */
const SHORT = 6;
/** The number of waves until the process's memory has settled. */
const WARMUP = 2;

/** The results of a wave. */
interface Wave {
  /** The maximum memory of the gateway during the wave, in bytes. */
  readonly most: number;
  /** The number of streams open in the middle of the wave. */
  readonly open: number;
  readonly failed: number;
}

/** Runs waves of short streams, then one wave of several times longer streams. */
export async function manyStreams(
  { assay }: Gateways,
  data: string,
  full: boolean,
): Promise<readonly Measurement[]> {
  const [waves, long] = full ? [8, 24] : [4, 12];
  const one = client(assay);
  const wave = async (seconds: number): Promise<Wave> => {
    const resident = [assay.resident()];
    const sampling = setInterval(() => resident.push(assay.resident()), 250);
    const times: { readonly from: number; readonly to: number }[] = [];
    let failed = 0;
    const stream = async () => {
      const begun = performance.now();
      try {
        const { first, whole } = await one.chat({ chunks: (1000 * seconds) / GAP, gap: GAP });
        times.push({ from: begun + first, to: begun + whole });
      } catch {
        failed++;
      }
    };
    await Promise.all(Array.from({ length: STREAMS }, stream));
    clearInterval(sampling);
    const [begun, ended] = [
      Math.min(...times.map(({ from }) => from)),
      Math.max(...times.map(({ to }) => to)),
    ];
    const middle = (begun + ended) / 2;
    const open = times.filter(({ from, to }) => from <= middle && middle <= to).length;
    progress(`${open} of ${STREAMS} open for ${seconds} s, ${failed} failed; MiB: ${mebibytes(resident)}`);
    return { most: Math.max(...resident), open, failed };
  };

  progress(`waves of ${STREAMS} streams`);
  const short: Wave[] = [];
  for (let i = 0; i < WARMUP + waves; i++) short.push(await wave(SHORT));
  const longer = await wave(long);
  one.close();
  const all = [...short, longer];
  const half = Math.floor(waves / 2);
  const most = (of: readonly Wave[]) => Math.max(...of.map((one) => one.most));
  const figure = (what: string, unit: "bytes" | "calls", value: number) =>
    single(data, `${STREAMS} streams: ${what}`, ASSAY, unit, value);
  return [
    figure("most in the first waves", "bytes", most(short.slice(WARMUP, WARMUP + half))),
    figure("most in the last waves", "bytes", most(short.slice(-half))),
    figure("most while they are longer", "bytes", longer.most),
    figure("open at once", "calls", Math.min(...all.map(({ open }) => open))),
    figure(
      "failed",
      "calls",
      all.reduce((sum, { failed }) => sum + failed, 0),
    ),
  ];
}

function mebibytes(all: readonly number[]): string {
  return all.map((bytes) => Math.round(bytes / 2 ** 20)).join(" ");
}
