// Laws: requirements for every implementation of a port, as data that any test runner can run.

/** One requirement for every implementation of a port. `run` rejects if it is violated. */
export interface Law {
  /** A sentence about behaviour, for the test's name. */
  readonly name: string;
  /** Checks the law on a fresh implementation; rejects with what was expected. */
  readonly run: () => Promise<void>;
}

/** Creates an empty implementation of a port; called once per law. */
export type Open<Port> = () => Promise<Port> | Port;

/** A constructor of laws about the ports that `open` creates. */
export function lawsFor<Port>(open: Open<Port>): (name: string, check: (port: Port) => Promise<void>) => Law {
  return (name, check) => ({ name, run: async () => check(await open()) });
}

/**
 * Throws an error that shows both unless `actual` equals `expected` as JSON, in any order of keys: laws have no test
 * runner to report this. `what` precedes the message.
 */
export function expectSame(actual: unknown, expected: unknown, what?: string): void {
  const [a, b] = [show(actual), show(expected)];
  if (a !== b) throw new Error(`${what === undefined ? "" : `${what}: `}expected ${b}, got ${a}`);
}

/** Throws an error with the message `what` unless `claim` is true. */
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
