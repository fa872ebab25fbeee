// Shared parts of the trace stores: the database, a journal, and the owner of each record.

import type { Database, Transaction } from "../database/database.ts";
import type { Project, Projects } from "../database/projects.ts";
import { idHash } from "../records/id-hash.ts";
import type { Journal } from "../records/journal.ts";

/** The parts of a store of records. */
export interface RecordParts {
  readonly database: Database;
  /** The journal with the records. */
  readonly journal: Journal;
  readonly projects: Projects;
  /** The seed of `idHash`. */
  readonly seed: number;
}

/** The hash of a name in a project. */
export type HashName = (name: string) => number;

/** The hash function for names in a project. */
export function hashIn({ seed }: RecordParts, project: number): HashName {
  return (name) => idHash(name, project, seed);
}

/** Runs `work` in a transaction with the number of a project, which is created if missing. */
export function writeIn<T>(
  parts: Pick<RecordParts, "database" | "projects">,
  name: string,
  work: (transaction: Transaction, project: number) => Promise<T>,
): Promise<T> {
  return writeInAll(parts, [name], (transaction, [project]) => work(transaction, project!));
}

/** Runs `work` in a transaction for several projects together. */
export async function writeInAll<T>(
  { database, projects }: Pick<RecordParts, "database" | "projects">,
  names: readonly string[],
  work: (transaction: Transaction, projects: readonly number[]) => Promise<T>,
): Promise<T> {
  const made = new Map<string, Project>();
  const result = await database.write(async (transaction) => {
    const numbers: number[] = [];
    for (const name of names) {
      const project = projects.next(name);
      numbers.push(project.number);
      if (projects.find(name) !== undefined) continue;
      await projects.save(name, project, transaction);
      made.set(name, project);
    }
    return work(transaction, numbers);
  });
  for (const [name, project] of made) projects.remember(name, project);
  return result;
}
