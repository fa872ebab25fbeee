// Versions: whole numbers that grow with every write, by the clock of the writer.

/** Gives the version of a write: above all that it gave before, and above `known`. */
export type Versions = (known: number) => number;

/** Versions by a clock in microseconds since 1970, which need not go forward. */
export function versionsBy(microseconds: () => number): Versions {
  let last = 0;
  return (known) => {
    last = Math.max(Math.floor(microseconds()), last + 1, known + 1);
    return last;
  };
}
