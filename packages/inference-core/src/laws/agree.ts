// How laws say what they expected. They bring no test runner, and cores have no assertion library.

/** Rejects unless `actual` is the same JSON as `expected`, whatever the order of keys. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [canonical(actual), canonical(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, got ${a}`);
}

/** Rejects unless `claim` is true. */
export function holds(claim: boolean, what: string): void {
  if (!claim) throw new Error(what);
}

function canonical(value: unknown): string {
  const sorted = (_: string, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one;
  return JSON.stringify(value, sorted) ?? "undefined";
}
