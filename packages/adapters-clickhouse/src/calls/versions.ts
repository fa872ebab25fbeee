// Versions: whole numbers that grow with every write, based on the writer's clock.

/** The version of the next write: greater than all earlier ones, and than `known`. */
export type Versions = (known: number) => number;

/** Versions from a clock in microseconds since 1970, which may go back. */
export function versionsBy(microseconds: () => number): Versions {
  let last = 0;
  return (known) => {
    last = Math.max(Math.floor(microseconds()), last + 1, known + 1);
    return last;
  };
}
