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
