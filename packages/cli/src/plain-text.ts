// Data shown in a terminal: as text, never as commands to the terminal.

import { stripVTControlCharacters } from "node:util";

/** `text` on one line, without escape sequences, control characters and marks that change the order of letters. */
export function plainText(text: string): string {
  return plainLine(text).replaceAll(/ +/g, " ");
}

/** The same with its spaces as they are: what stands below something stays there. */
export function plainLine(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\s/gu, " ")
    .replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "");
}

/** A piece of a longer text, with its lines as they are, and without what a terminal would take for a command. */
export function plainPiece(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "");
}

/** JSON text in which a terminal finds no command: the same value, with those characters escaped. */
export function plainJson(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
