// Makes examples deterministic: replaces the ids, times and addresses of a server by constant ones.

/** A request to an operation, and its response. */
export interface Example {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly answer?: unknown;
  /** The media type of the response. */
  readonly type?: string;
}

// Names of fields with times in seconds or milliseconds.
const SECONDS = /^(?:created|created_at|finished_at|expires_at|last_used_at|revoked_at|started_at)$/;
const NOW = 1_767_225_600;
// The name of the field with a duration in seconds.
const TOOK = "duration";

const TEXTS: readonly (readonly [RegExp, (found: string, at: number) => string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (_, at) => `00000000-0000-4000-8000-${number(at, 12)}`],
  // Names of OpenAI files and jobs, and values derived from the directory's seed.
  [/(?<=[-_])[0-9a-f]{24,64}(?![0-9a-f])/g, (found, at) => number(at, found.length)],
  [/20(?!26-01-01)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?=Z|\+)/g, () => "2026-01-01T00:00:00"],
  [/http:\/\/127\.0\.0\.1:\d+/g, () => "http://localhost:8088"],
  [/eyJ[\w-]+\.[\w-]+/g, (_, at) => `signed-${number(at, 4)}`],
  [/(?<=\bft:.*:)[0-9a-f]{8}(?=$|:)/g, (_, at) => number(at, 8)],
];

function number(at: number, length: number): string {
  return String(at + 1).padStart(length, "0");
}

/** Replaces values that vary between runs, equal values by equal ones. */
export function recorder(): (value: unknown) => unknown {
  const places = new Map<string, string>();
  const steadyText = (text: string) =>
    places.get(text) ??
    TEXTS.reduce(
      (now, [pattern, make]) =>
        now.replaceAll(pattern, (found) => {
          const known = places.get(found) ?? make(found, places.size);
          places.set(found, known);
          return known;
        }),
      text,
    );
  const steady = (value: unknown, name = ""): unknown => {
    if (typeof value === "string") return steadyText(value);
    if (typeof value === "number") {
      if (SECONDS.test(name)) return value > 1e12 ? NOW * 1000 : value > 1e9 ? NOW : value;
      return name === TOOK ? 0.001 : value;
    }
    if (Array.isArray(value)) return value.map((item) => steady(item, name));
    if (typeof value !== "object" || value === null) return value;
    if ("key" in value && "id" in value && /^assay_/.test(String(value.key))) {
      places.set(String(value.id), "key00001");
      places.set(String(value.key), "assay_key00001secret");
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, steady(member, key)]));
  };
  return (value) => steady(value);
}
