// A grammar over bytes, and the matcher that tells which byte may come next: how an answer is made to have a form. It
// follows all readings of the answer so far at once, each as a stack of what is still to come (as in a pushdown
// automaton).

/** What may be said. Made by the functions below; never changed. */
export type Grammar =
  | { readonly kind: "bytes"; readonly set: Uint8Array }
  | { readonly kind: "sequence"; readonly items: readonly Grammar[] }
  | { readonly kind: "choice"; readonly options: readonly Grammar[] }
  | { readonly kind: "repeat"; readonly item: Grammar; readonly least: number; readonly most: number }
  | { readonly kind: "rule"; readonly rule: GrammarRule };

/** A grammar with a name, which may contain itself. */
export interface GrammarRule {
  /** What it stands for; set once all rules are known. */
  grammar: Grammar | undefined;
  /** How few bytes it can be: see `settle`. */
  least: number;
}

/** A rule that is to be set. */
export function newRule(): GrammarRule {
  return { grammar: undefined, least: Number.POSITIVE_INFINITY };
}

const encoder = new TextEncoder();

/** Any one of the bytes for which `holds`. */
export function byteWhere(holds: (byte: number) => boolean): Grammar {
  return { kind: "bytes", set: Uint8Array.from({ length: 256 }, (_, byte) => (holds(byte) ? 1 : 0)) };
}

/** Any one byte from `first` to `last`. */
export function byteBetween(first: number, last: number): Grammar {
  return byteWhere((byte) => byte >= first && byte <= last);
}

/** Exactly `text`. */
export function literal(text: string): Grammar {
  return sequence(...Array.from(encoder.encode(text), (byte) => byteBetween(byte, byte)));
}

/** One after the other. */
export function sequence(...items: readonly Grammar[]): Grammar {
  return { kind: "sequence", items };
}

/** Any one of them; none can be said when there are none. */
export function choice(...options: readonly Grammar[]): Grammar {
  return { kind: "choice", options };
}

/** `item`, from `least` to `most` times. */
export function repeat(item: Grammar, least: number, most: number = Number.POSITIVE_INFINITY): Grammar {
  return { kind: "repeat", item, least, most };
}

/** Nothing, or `item`. */
export function optional(item: Grammar): Grammar {
  return repeat(item, 0, 1);
}

/** Reads bytes one at a time. */
export interface Matcher {
  /**
   * Writes 1 into `allowed` for each byte that may come next such that the whole can still end within `left` bytes,
   * this one included; 0 for all others. Returns whether the answer so far may end here.
   */
  next(allowed: Uint8Array, left: number): boolean;
  /** Says `byte`. Throws when the grammar does not allow it. */
  say(byte: number): void;
}

/** What is still to come, and how few bytes can end it. */
interface Stack {
  readonly top: Grammar;
  readonly rest: Stack | undefined;
  readonly least: number;
}

/** How many rules may stand for one another before a byte. */
const DEEPEST = 32;

/** A matcher of `grammar` at its beginning. */
export function matcherOf(grammar: Grammar): Matcher {
  const push = (top: Grammar, rest: Stack | undefined): Stack => ({
    top,
    rest,
    least: known(top) + (rest?.least ?? 0),
  });

  /** The stacks that `stack` may mean, each with bytes on top; undefined in `into` for the end. */
  const expand = (stack: Stack | undefined, into: Set<Stack | undefined>, rules = 0): void => {
    if (stack?.least === Number.POSITIVE_INFINITY) return;
    if (stack === undefined) {
      into.add(undefined);
      return;
    }
    const { top, rest } = stack;
    switch (top.kind) {
      case "bytes":
        into.add(stack);
        return;
      case "sequence":
        expand(
          top.items.reduceRight<Stack | undefined>((below, item) => push(item, below), rest),
          into,
          rules,
        );
        return;
      case "choice":
        for (const option of top.options) expand(push(option, rest), into, rules);
        return;
      case "rule":
        // A rule that begins with itself says nothing by that which it does not say without.
        if (rules < DEEPEST) expand(push(definitionOf(top.rule), rest), into, rules + 1);
        return;
      case "repeat": {
        const { item, least: few, most } = top;
        if (few === 0) expand(rest, into, rules);
        if (most > 0)
          expand(push(item, push(repeat(item, Math.max(0, few - 1), most - 1), rest)), into, rules);
      }
    }
  };

  const expanded = (stacks: Iterable<Stack | undefined>) => {
    const all = new Set<Stack | undefined>();
    for (const stack of stacks) expand(stack, all);
    return all;
  };

  let stacks = expanded([push(grammar, undefined)]);
  return {
    next(allowed, left) {
      allowed.fill(0);
      for (const stack of stacks) {
        if (stack === undefined || stack.top.kind !== "bytes" || stack.least > left) continue;
        const { set } = stack.top;
        for (let byte = 0; byte < 256; byte++) if (set[byte] === 1) allowed[byte] = 1;
      }
      return stacks.has(undefined);
    },
    say(byte) {
      const after = [...stacks].flatMap((stack) =>
        stack?.top.kind === "bytes" && stack.top.set[byte] === 1 ? [stack.rest] : [],
      );
      if (after.length === 0) throw new Error(`the grammar does not allow the byte ${byte} here`);
      stacks = expanded(new Set(after));
    },
  };
}

function definitionOf(rule: GrammarRule): Grammar {
  if (rule.grammar === undefined) throw new Error("a rule of the grammar was never set");
  return rule.grammar;
}

/** How few bytes a grammar can be; infinite when it cannot be said at all. */
function leastOf(grammar: Grammar): number {
  switch (grammar.kind) {
    case "bytes":
      return grammar.set.includes(1) ? 1 : Number.POSITIVE_INFINITY;
    case "sequence":
      return grammar.items.reduce((sum, item) => sum + known(item), 0);
    case "choice":
      return grammar.options.reduce((least, one) => Math.min(least, known(one)), Number.POSITIVE_INFINITY);
    case "repeat":
      return grammar.least === 0 ? 0 : grammar.least * known(grammar.item);
    case "rule":
      return grammar.rule.least;
  }
}

const lengths = new WeakMap<Grammar, number>();

/** `leastOf`, remembered: it is asked for at every byte. Rules are settled before anything is matched. */
function known(grammar: Grammar): number {
  const found = lengths.get(grammar);
  if (found !== undefined) return found;
  const least = leastOf(grammar);
  lengths.set(grammar, least);
  return least;
}

/**
 * Finds out how few bytes each of `rules` can be, which may contain one another: to be called once all are set, and before
 * they are used. One that always contains itself can never end and stays infinite.
 */
export function settle(rules: readonly GrammarRule[]): void {
  for (let changed = true; changed; ) {
    changed = false;
    for (const rule of rules) {
      const least = lengthNow(definitionOf(rule));
      if (least >= rule.least) continue;
      rule.least = least;
      changed = true;
    }
  }
}

/** `leastOf` while rules are not settled yet, when nothing may be remembered. */
function lengthNow(grammar: Grammar): number {
  switch (grammar.kind) {
    case "sequence":
      return grammar.items.reduce((sum, item) => sum + lengthNow(item), 0);
    case "choice":
      return grammar.options.reduce(
        (least, one) => Math.min(least, lengthNow(one)),
        Number.POSITIVE_INFINITY,
      );
    case "repeat":
      return grammar.least === 0 ? 0 : grammar.least * lengthNow(grammar.item);
    default:
      return leastOf(grammar);
  }
}

/** How few bytes `grammar` can be. Its rules are settled. */
export function leastBytes(grammar: Grammar): number {
  return known(grammar);
}
