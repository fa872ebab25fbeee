// Limits: how many requests a key and a project may have under way at once, in this process.

/** Who asks, as far as limits go. */
export interface Asker {
  /** The API key's id. */
  readonly key: string;
  /** Whom the request counts for. */
  readonly entity: string;
  /** Its project. */
  readonly project: string;
}

/** How many requests may be under way at once. */
export interface LimitOptions {
  /** For one key. Default 2000. */
  readonly perKey?: number;
  /** For one project. Default 6000. */
  readonly perProject?: number;
}

/** Counts requests under way. */
export interface Limits {
  /** Begins a request: what to call once when it is over. Undefined when there are too many already. */
  begin(asker: Asker): (() => void) | undefined;
}

/** Limits that are kept in memory, and cost nothing for who asks nothing. */
export function concurrencyLimits({ perKey = 2000, perProject = 6000 }: LimitOptions = {}): Limits {
  const keys = new Map<string, number>();
  const projects = new Map<string, number>();

  return {
    begin({ key, entity, project }) {
      const place = JSON.stringify([entity, project]);
      if ((keys.get(key) ?? 0) >= perKey || (projects.get(place) ?? 0) >= perProject) return undefined;
      add(keys, key, 1);
      add(projects, place, 1);
      let over = false;
      return () => {
        if (over) return;
        over = true;
        add(keys, key, -1);
        add(projects, place, -1);
      };
    },
  };
}

function add(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
