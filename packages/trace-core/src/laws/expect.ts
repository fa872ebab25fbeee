/** Throws an error that shows both when two JSON-like values differ. No test runner is needed. */
export function expectEqual(actual: unknown, expected: unknown): void {
  const [a, b] = [show(actual), show(expected)];
  if (a !== b) throw new Error(`expected ${b}, got ${a}`);
}

function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${show(item)}`).join(", ")}}`;
  }
  return value === undefined ? "undefined" : JSON.stringify(value);
}
