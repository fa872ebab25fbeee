// Regular expressions of clients, matched in time proportional to the text: alternatives of single characters with
// quantifiers. JavaScript's own engine can need exponential time, and would block the server.

const TOKEN = /(\\[^\p{L}\d]|\\[dDsSwW]|\[\^?(?:\\.|[^\]\\])+\]|[^\\[\](){}|*+?^$])([*+?]?)|[|^$]/suy;

const LONGEST_PATTERN = 500;

interface Atom {
  readonly is: (character: string) => boolean;
  readonly optional: boolean;
  readonly repeats: boolean;
}

interface Alternative {
  readonly atoms: Atom[];
  fromStart: boolean;
  toEnd: boolean;
}

/**
 * Whether a text contains a match of `pattern`; undefined if the pattern has groups or counted repetitions, is very
 * long, or is not a regular expression.
 */
export function textPattern(pattern: string): ((text: string) => boolean) | undefined {
  const alternatives = pattern.length > LONGEST_PATTERN ? undefined : readAlternatives(pattern);
  if (alternatives === undefined) return undefined;
  return (text) => {
    const characters = [...text];
    return alternatives.some((one) => occurs(one, characters));
  };
}

function readAlternatives(pattern: string): readonly Alternative[] | undefined {
  let last: Alternative = { atoms: [], fromStart: false, toEnd: false };
  const alternatives = [last];
  for (let at = 0; at < pattern.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(pattern);
    if (token === null) return undefined;
    const [text, atom, quantifier = ""] = token;
    if (text === "|") {
      last = { atoms: [], fromStart: false, toEnd: false };
      alternatives.push(last);
    } else if (last.toEnd || (text === "^" && (last.fromStart || last.atoms.length > 0))) return undefined;
    else if (text === "^") last.fromStart = true;
    else if (text === "$") last.toEnd = true;
    else {
      const is = characterTest(atom!);
      if (is === undefined) return undefined;
      last.atoms.push({ is, optional: /[*?]/.test(quantifier), repeats: /[*+]/.test(quantifier) });
    }
  }
  return alternatives;
}

function characterTest(atom: string): Atom["is"] | undefined {
  if (/^\\[^dDsSwW]$/u.test(atom)) return (character) => character === atom.slice(1);
  if (!/^(?:\.$|\\|\[)/.test(atom)) return (character) => character === atom;
  try {
    const expression = new RegExp(`^${atom}$`, "u");
    return (character) => expression.test(character);
  } catch {
    return undefined;
  }
}

/** Follows all possible matches simultaneously, as the numbers of the atoms that may come next. */
function occurs({ atoms, fromStart, toEnd }: Alternative, text: readonly string[]): boolean {
  const add = (next: Set<number>, from: number) => {
    let i = from;
    while (!next.has(i)) {
      next.add(i);
      if (atoms[i]?.optional) i++;
    }
  };
  let open = new Set<number>();
  for (let at = 0; ; at++) {
    if (at === 0 || !fromStart) add(open, 0);
    if (open.has(atoms.length) && (!toEnd || at === text.length)) return true;
    if (at === text.length) return false;
    const next = new Set<number>();
    for (const i of open) {
      const atom = atoms[i];
      if (atom === undefined || !atom.is(text[at]!)) continue;
      if (atom.repeats) add(next, i);
      add(next, i + 1);
    }
    open = next;
  }
}
