// Short excerpts of input for messages.

const LONGEST = 100;

/** A name that a caller chose, cut to 100 characters, the last of which is then an ellipsis. */
export function shownName(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}

/** A text of a caller's in quotes, cut to 100 characters. */
export function excerpt(text: string): string {
  return JSON.stringify(shownName(text));
}
