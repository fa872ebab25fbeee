// The machine of a measurement.

import { arch, cpus, totalmem, type } from "node:os";

/** The properties that a reader needs to compare figures with their own. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  readonly node: string;
}

/** This machine. */
export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${arch()}`,
    node: process.version,
  };
}
