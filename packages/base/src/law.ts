// Laws: what every implementation of a port must do, as data that any test runner can run.

/** One thing that every implementation of a port must do. `run` rejects when it does not. */
export interface Law {
  /** A sentence about behaviour, for the test's name. */
  readonly name: string;
  /** Checks the law on a fresh implementation; rejects with what was expected. */
  readonly run: () => Promise<void>;
}

/** Makes a fresh, empty implementation of a port; called once per law. */
export type Open<Port> = () => Promise<Port> | Port;

/** A maker of laws about the ports that `open` makes. */
export function lawsFor<Port>(open: Open<Port>): (name: string, check: (port: Port) => Promise<void>) => Law {
  return (name, check) => ({ name, run: async () => check(await open()) });
}

/**
 * Throws an error that shows both unless `actual` is the same JSON as `expected`, whatever the order of keys: how laws
 * say what they expected, since they bring no test runner. `what` precedes it.
 */
export function expectSame(actual: unknown, expected: unknown, what?: string): void {
  const [a, b] = [show(actual), show(expected)];
  if (a !== b) throw new Error(`${what === undefined ? "" : `${what}: `}expected ${b}, got ${a}`);
}

/** Throws an error that says `what` unless `claim` is true. */
export function expectThat(claim: boolean, what: string): void {
  if (!claim) throw new Error(what);
}

function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${show(item)}`).join(", ")}}`;
  }
  return value === undefined ? "undefined" : JSON.stringify(value);
}
