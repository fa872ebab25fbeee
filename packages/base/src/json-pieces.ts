// Writing JSON in steps: the text that JSON.stringify gives, in pieces that take a millisecond or two each. A piece may
// be any part of the text; it is never made of more values than are written in one go, but for one long string.

/** Values that are written in one go. */
const WRITTEN = 2000;

/** The text of a value that is JSON, as `JSON.stringify` writes it, in pieces. Its numbers are written as JavaScript does. */
export function* jsonPieces(value: unknown): Generator<string, void, undefined> {
  if (isSmall(value)) yield JSON.stringify(value) ?? "null";
  else if (Array.isArray(value)) {
    yield* joined("[", "]", value, function* (item) {
      yield* jsonPieces(item);
    });
  } else {
    const members = Object.entries(value as object).filter(([, member]) => member !== undefined);
    yield* joined("{", "}", members, function* ([name, member]) {
      yield `${JSON.stringify(name)}:`;
      yield* jsonPieces(member);
    });
  }
}

function* joined<T>(
  open: string,
  close: string,
  items: readonly T[],
  write: (item: T) => Generator<string, void, undefined>,
): Generator<string, void, undefined> {
  yield open;
  for (const [i, item] of items.entries()) {
    if (i > 0) yield ",";
    yield* write(item);
  }
  yield close;
}

/** Whether a value holds no more than are written in one go. Looks at no more of them than that. */
function isSmall(root: unknown): boolean {
  const left = [root];
  let seen = 1;
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const members = Array.isArray(value) ? value : Object.values(value);
    seen += members.length;
    if (seen > WRITTEN) return false;
    for (const member of members) if (typeof member === "object") left.push(member);
  }
  return true;
}
