// Sorts without blocking other work: the runtime sorts short runs, which are then merged in pairs. The simple form is
// one sort of everything, which takes a second for a million items and cannot be interrupted.

// The comparisons for each item of a run of thousands.
const LEVELS = 13;

/**
 * Sorts `indexes` in place; `compare` must never return 0. `pause` is called after each `run` items sorted or compared,
 * with the number of comparisons.
 */
export async function sortIndexes(
  indexes: Uint32Array,
  compare: (a: number, b: number) => number,
  run: number,
  pause: (comparisons: number) => Promise<void> | undefined,
): Promise<void> {
  const { length } = indexes;
  for (let from = 0; from < length; from += run) {
    indexes.subarray(from, from + run).sort(compare);
    const turn = pause(run * LEVELS);
    if (turn !== undefined) await turn;
  }
  const merged = new Uint32Array(length);
  for (let width = run; width < length; width *= 2) {
    for (let from = 0; from + width < length; from += width * 2) {
      const middle = from + width;
      const end = Math.min(middle + width, length);
      let [a, b] = [from, middle];
      for (let at = from; at < end; at++) {
        const takeFirst = b === end || (a < middle && compare(indexes[a]!, indexes[b]!) < 0);
        merged[at] = indexes[takeFirst ? a++ : b++]!;
        if (at % run !== 0) continue;
        const turn = pause(run);
        if (turn !== undefined) await turn;
      }
      indexes.set(merged.subarray(from, end), from);
    }
  }
}
