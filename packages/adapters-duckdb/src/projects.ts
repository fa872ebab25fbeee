// The projects of a store: their numbers in the tables, and their versions, kept in memory to be answered at once.

import type { Database, Transaction } from "./database.ts";

/** One project. */
export interface Project {
  readonly number: number;
  /** Grows with every write to its calls. */
  readonly version: number;
  /** Grows with every write to its dataset rows. */
  readonly rowsVersion: number;
}

/** All projects of a store. */
export interface Projects {
  find(name: string): Project | undefined;
  /** Those that are saved. */
  names(): readonly string[];
  /** The project, or what a new one is before anything of it is saved. */
  next(name: string): Project;
  /** Writes what has become of a project. `remember` it once the transaction has committed. */
  save(name: string, project: Project, transaction: Transaction): Promise<void>;
  remember(name: string, project: Project): void;
}

/** Reads the projects of a database. */
export async function openProjects(database: Database): Promise<Projects> {
  const projects = new Map<string, Project>();
  // As the database gives names back: a text that is not Unicode (half of a surrogate pair) does not come back as it was.
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

  // Named, but not saved yet: asking again in the same transaction must give the same number.
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
