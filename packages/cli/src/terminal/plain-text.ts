// Shows data in a terminal as plain text, never as control sequences.

import { stripVTControlCharacters } from "node:util";

/** Control characters, and marks that change the order of letters. */
const COMMANDS = /[\p{Cc}\p{Bidi_Control}]/gu;
/** The same except for line breaks and tabs, which a text with several lines may have. */
const COMMANDS_IN_LINES = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;

/** `text` on one line, without escape sequences, control characters and marks that change the order of letters. */
export function plainText(text: string): string {
  return plainLine(text).replaceAll(/ +/g, " ");
}

/** The same with its spaces unchanged, so that columns stay aligned. */
export function plainLine(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\s/gu, " ").replaceAll(COMMANDS, "");
}

/** Part of a longer text, with its line breaks, but without anything that a terminal would interpret. */
export function plainPiece(text: string): string {
  return text.replaceAll(COMMANDS_IN_LINES, "");
}

/** JSON text without anything that a terminal would interpret: the same value, with such characters escaped. */
export function plainJson(json: string): string {
  return json.replaceAll(
    COMMANDS_IN_LINES,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
