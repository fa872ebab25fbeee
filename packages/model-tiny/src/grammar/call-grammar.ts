// Function calls in the model's notation: `{"name":"f","arguments":{…}}`. Decides which answers are calls.
import { byteWhere, choice, type Grammar, literal, repeat, sequence } from "./grammar.ts";

/** A function that may be called. */
export interface CallableFunction {
  /** Its name. */
  readonly name: string;
  /** The grammar of its arguments, an object. */
  readonly arguments: Grammar;
}

/** The beginning of every call, which no other answer has if there are functions. */
export const CALL_BEGIN = '{"name":';

/** The beginning of a call of the function `name`, up to its arguments. */
export function callBegin(name: string): string {
  return `${CALL_BEGIN}${JSON.stringify(name)},"arguments":`;
}

/** A call, with arguments as JSON text. */
export function callText(name: string, args: string): string {
  return `${callBegin(name)}${args}}`;
}

/** A call of one of `functions`. */
export function callGrammar(functions: readonly CallableFunction[]): Grammar {
  return choice(
    ...functions.map((each) => sequence(literal(callBegin(each.name)), each.arguments, literal("}"))),
  );
}

/** A call of one of `functions`, or any text that does not start like a call. */
export function callOrTextGrammar(functions: readonly CallableFunction[]): Grammar {
  const anything = repeat(
    byteWhere(() => true),
    0,
  );
  const texts = Array.from(CALL_BEGIN, (letter, i) => {
    const other = byteWhere((byte) => byte !== letter.charCodeAt(0));
    return sequence(literal(CALL_BEGIN.slice(0, i)), choice(sequence(), sequence(other, anything)));
  });
  return choice(callGrammar(functions), ...texts);
}
