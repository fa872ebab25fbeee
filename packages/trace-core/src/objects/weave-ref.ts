// References as Weave writes them: `weave:///<entity>/<project>/<kind>/<name>:<digest>/<step>/<name>…`.

/** One step into a value: a member of an object, an item of a list, or a row of a table by its digest. */
export interface RefStep {
  /** The kind of step: `attr` and `key` into an object, `index` into a list, `id` into a table. */
  readonly by: "attr" | "key" | "index" | "id";
  /** The key, the index or the row's digest. */
  readonly name: string;
}

/** A parsed reference. */
export interface WeaveRef {
  /** `entity/project`. */
  readonly project: string;
  /** The kind of its target. */
  readonly kind: "object" | "op" | "table" | "call";
  /** The object's ID; for tables and calls the same as `digest`. */
  readonly name: string;
  /** The digest of a version (also `latest`, or `v3`), the table's digest or the call's id. */
  readonly digest: string;
  /** The path from there to the value. */
  readonly steps: readonly RefStep[];
}

const KINDS: ReadonlySet<string> = new Set(["object", "op", "table", "call"]);
const STEPS: ReadonlySet<string> = new Set(["attr", "key", "index", "id"]);
const SCHEME = "weave:///";

/** Far deeper than any value nests. */
const MAX_PARTS = 500;

/** Parses a reference; undefined if `text` is not one. Names of steps are percent-decoded. */
export function readWeaveRef(text: string): WeaveRef | undefined {
  if (!text.startsWith(SCHEME)) return undefined;
  const [entity, project, kind, named, ...rest] = text.slice(SCHEME.length).split("/", MAX_PARTS);
  if (!entity || !project || !kind || !named || !KINDS.has(kind) || rest.length % 2 !== 0) return undefined;
  const versioned = kind === "object" || kind === "op";
  const colon = versioned ? named.lastIndexOf(":") : 0;
  if (colon === -1) return undefined;
  const steps: RefStep[] = [];
  for (let i = 0; i < rest.length; i += 2) {
    const [by, name] = [rest[i]!, decoded(rest[i + 1]!)];
    if (!STEPS.has(by) || name === undefined) return undefined;
    steps.push({ by: by as RefStep["by"], name });
  }
  return {
    project: `${entity}/${project}`,
    kind: kind as WeaveRef["kind"],
    name: versioned ? named.slice(0, colon) : named,
    digest: versioned ? named.slice(colon + 1) : named,
    steps,
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
