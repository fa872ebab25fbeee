// Measures several tasks in turns, so that other load on the machine affects all of them.

import { Bench } from "tinybench";

/** A measurement in milliseconds. */
export interface Timing {
  readonly median: number;
  /** The quartiles: half of the runs lie between `p25` and `p75`. */
  readonly p25: number;
  readonly p75: number;
  readonly min: number;
  readonly runs: number;
}

/** How long to measure. */
export interface Effort {
  /** The number of turns; each task runs at least once per turn. */
  readonly rounds: number;
  /** Milliseconds for a task in one turn: fast tasks run many times, slow ones once. */
  readonly turn: number;
  /** Milliseconds of warm-up per task: at least one run. */
  readonly warmup: number;
  /** A task whose warm-up run took longer than this many milliseconds gets only `slowRounds` turns. */
  readonly slow: number;
  readonly slowRounds: number;
}

/** Takes a few minutes for everything. */
export const QUICK: Effort = { rounds: 5, turn: 60, warmup: 100, slow: 2000, slowRounds: 1 };
/** For published figures. */
export const FULL: Effort = { rounds: 15, turn: 150, warmup: 500, slow: 2000, slowRounds: 3 };

/** Runs `tasks` round-robin. Rejects if one of them does. */
export async function interleave<Name extends string>(
  tasks: Readonly<Record<Name, () => Promise<unknown>>>,
  effort: Effort,
): Promise<Readonly<Record<Name, Timing>>> {
  const bench = new Bench({
    time: effort.turn,
    iterations: 1,
    warmupTime: effort.warmup,
    warmupIterations: 1,
    retainSamples: true,
    throws: true,
  });
  for (const name of Object.keys(tasks) as Name[]) bench.add(name, tasks[name], { async: true });

  const rounds = new Map<string, number>();
  for (const task of bench.tasks) {
    const start = bench.now();
    await task.warmup();
    rounds.set(task.name, bench.now() - start > effort.slow ? effort.slowRounds : effort.rounds);
  }
  const samples = new Map<string, number[]>(bench.tasks.map((task) => [task.name, []]));
  for (let round = 0; round < effort.rounds; round++) {
    for (const task of bench.tasks) {
      if (round >= rounds.get(task.name)!) continue;
      task.reset();
      await task.run();
      if (task.result.state !== "completed") throw new Error(`${task.name} did not complete`);
      samples.get(task.name)!.push(...task.result.latency.samples!);
    }
  }
  return Object.fromEntries(Array.from(samples, ([name, times]) => [name, timingOf(times)])) as Record<
    Name,
    Timing
  >;
}

/** The timing of single runs in milliseconds. */
export function timingOf(times: readonly number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const position = (sorted.length - 1) * share;
    const [below, above] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!];
    return below + (above - below) * (position % 1);
  };
  return { median: at(0.5), p25: at(0.25), p75: at(0.75), min: sorted[0]!, runs: sorted.length };
}
