// The projects of a store: their numbers in the tables, and their versions, kept in memory for fast access.

import type { Database, Transaction } from "./database.ts";

/** One project. */
export interface Project {
  readonly number: number;
  /** Increases with every write to its calls. */
  readonly version: number;
  /** Increases with every write to its dataset rows. */
  readonly rowsVersion: number;
}

/** All projects of a store. */
export interface Projects {
  find(name: string): Project | undefined;
  /** The names of saved projects. */
  names(): readonly string[];
  /** The project, or the initial state of a new one before it is saved. */
  next(name: string): Project;
  /** Writes the new state of a project. Call `remember` once the transaction has committed. */
  save(name: string, project: Project, transaction: Transaction): Promise<void>;
  remember(name: string, project: Project): void;
}

/** Reads the projects of a database. */
export async function openProjects(database: Database): Promise<Projects> {
  const projects = new Map<string, Project>();
  // In the form that the database returns: a text that is not valid Unicode (half of a surrogate pair) comes back
  // changed.
  const key = (name: string): string => Buffer.from(name).toString();
  const [names, numbers, versions, rowsVersions] = await database.columns(
    "SELECT name, number, version, rows_version FROM projects",
  );
  let highest = numbers!.reduce<number>((a, b) => Math.max(a, b as number), 0);
  for (const [i, name] of names!.entries()) {
    projects.set(name as string, {
      number: numbers![i] as number,
      version: versions![i] as number,
      rowsVersion: rowsVersions![i] as number,
    });
  }

  // Named, but not saved yet: repeated requests in the same transaction must return the same number.
  const fresh = new Map<string, Project>();

  return {
    find: (name) => projects.get(key(name)),
    names: () => [...projects.keys()],
    next(name) {
      const project = projects.get(key(name)) ?? fresh.get(key(name));
      if (project !== undefined) return project;
      const made = { number: ++highest, version: 0, rowsVersion: 0 };
      fresh.set(key(name), made);
      return made;
    },
    async save(name, { number, version, rowsVersion }, transaction) {
      if (projects.has(key(name))) {
        const changed = [version, rowsVersion, number];
        await transaction.run("UPDATE projects SET version = ?, rows_version = ? WHERE number = ?", changed);
      } else {
        await transaction.run("INSERT INTO projects VALUES (?, ?, ?, ?)", [
          number,
          key(name),
          version,
          rowsVersion,
        ]);
      }
    },
    remember(name, project) {
      projects.set(key(name), project);
      fresh.delete(key(name));
    },
  };
}
