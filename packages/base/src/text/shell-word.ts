/** A text as a single word of a shell's command line, quoted if it has to be. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}_.:/@+-]+$/u.test(text) && !text.startsWith("-")
    ? text
    : `'${text.replaceAll("'", "'\\''")}'`;
}
