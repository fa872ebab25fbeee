// Short excerpts of input for messages.

const LONGEST = 100;

/** A caller's name, cut to 100 characters, including an ellipsis. */
export function shownName(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}

/** A caller's text in quotes, cut to 100 characters. */
export function excerpt(text: string): string {
  return JSON.stringify(shownName(text));
}
