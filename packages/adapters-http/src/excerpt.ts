// What a client has sent, as far as it is repeated to it: quoted and short.

const MOST = 100;

/** `text` in quotes, cut after 100 characters. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > MOST ? `${text.slice(0, MOST)}…` : text);
}
