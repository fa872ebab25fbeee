// Data shown in a terminal: as text, never as commands to the terminal.

import { stripVTControlCharacters } from "node:util";

/** Control characters, and marks that change the order of letters. */
const COMMANDS = /[\p{Cc}\p{Bidi_Control}]/gu;
/** The same without what ends a line or a column, which a text of several lines may have. */
const COMMANDS_IN_LINES = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;

/** `text` on one line, without escape sequences, control characters and marks that change the order of letters. */
export function plainText(text: string): string {
  return plainLine(text).replaceAll(/ +/g, " ");
}

/** The same with its spaces as they are: what stands below something stays there. */
export function plainLine(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\s/gu, " ").replaceAll(COMMANDS, "");
}

/** A piece of a longer text, with its lines as they are, and without what a terminal would take for a command. */
export function plainPiece(text: string): string {
  return text.replaceAll(COMMANDS_IN_LINES, "");
}

/** JSON text in which a terminal finds no command: the same value, with those characters escaped. */
export function plainJson(json: string): string {
  return json.replaceAll(
    COMMANDS_IN_LINES,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
