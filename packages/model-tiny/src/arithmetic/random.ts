// Seeded random numbers. The only source of chance in this package: the same seed gives the same numbers.
import { ln } from "./elementary.ts";

/** A number drawn uniformly from [0, 1). */
export type Random = () => number;

/** Numbers generated from `seed`, any safe integer (sfc32 by Chris Doty-Humphrey, 32 bits per draw). */
export function seededRandom(seed: number): Random {
  let a = seed | 0;
  let b = Math.floor(seed / 2 ** 32) | 0;
  let c = 0x9e3779b9 | 0;
  let counter = 1;
  const draw = (): number => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    return (t >>> 0) / 2 ** 32;
  };
  // Seeds that differ in one bit start out alike; the first draws are skipped.
  for (let i = 0; i < 16; i++) draw();
  return draw;
}

/** A number drawn from the standard normal distribution (the polar method of Marsaglia, 1964). */
export function normal(random: Random): number {
  for (;;) {
    const x = 2 * random() - 1;
    const y = 2 * random() - 1;
    const square = x * x + y * y;
    if (square > 0 && square < 1) return x * Math.sqrt((-2 * ln(square)) / square);
  }
}

/** Shuffles `items` in place (Fisher and Yates). */
export function shuffle<T>(items: T[], random: Random): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
}
