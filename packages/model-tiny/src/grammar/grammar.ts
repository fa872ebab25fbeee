// Grammars over bytes, and a matcher that determines which bytes may come next, so that an answer has a required form.
// It follows all possible parses of the answer simultaneously, each as a stack of the remaining grammar (as in a
// pushdown automaton).

/** The set of allowed texts. Made by the functions below; never changed. */
export type Grammar =
  | { readonly kind: "bytes"; readonly set: Uint8Array }
  | { readonly kind: "sequence"; readonly items: readonly Grammar[] }
  | { readonly kind: "choice"; readonly options: readonly Grammar[] }
  | { readonly kind: "repeat"; readonly item: Grammar; readonly least: number; readonly most: number }
  | { readonly kind: "rule"; readonly rule: GrammarRule };

/** A named grammar, which may contain itself. */
export interface GrammarRule {
  /** Its definition; set once all rules are known. */
  grammar: Grammar | undefined;
  /** The least number of bytes: see `settle`. */
  least: number;
}

/** A rule to be defined later. */
export function newRule(): GrammarRule {
  return { grammar: undefined, least: Number.POSITIVE_INFINITY };
}

const encoder = new TextEncoder();

/** Any single byte for which `holds` is true. */
export function byteWhere(holds: (byte: number) => boolean): Grammar {
  return { kind: "bytes", set: Uint8Array.from({ length: 256 }, (_, byte) => (holds(byte) ? 1 : 0)) };
}

/** Any single byte from `first` to `last`. */
export function byteBetween(first: number, last: number): Grammar {
  return byteWhere((byte) => byte >= first && byte <= last);
}

/** Exactly `text`. */
export function literal(text: string): Grammar {
  return sequence(...Array.from(encoder.encode(text), (byte) => byteBetween(byte, byte)));
}

/** A sequence. */
export function sequence(...items: readonly Grammar[]): Grammar {
  return { kind: "sequence", items };
}

/** Any one of them; without any, nothing is allowed. */
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
   * including this one; 0 for all others. Returns whether the answer may end here.
   */
  next(allowed: Uint8Array, left: number): boolean;
  /** Reads `byte`. Throws if the grammar does not allow it. */
  say(byte: number): void;
}

/** The rest of the grammar, with the least number of bytes to its end. */
interface Stack {
  readonly top: Grammar;
  readonly rest: Stack | undefined;
  readonly least: number;
}

/** The most nested rules that may be expanded before a byte. */
const DEEPEST = 32;

/** A matcher at the start of `grammar`. */
export function matcherOf(grammar: Grammar): Matcher {
  const push = (top: Grammar, rest: Stack | undefined): Stack => ({
    top,
    rest,
    least: known(top) + (rest?.least ?? 0),
  });

  /** The stacks that `stack` expands to, each with bytes on top; `into` gets undefined for the end. */
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
        // A left-recursive rule adds nothing by its recursion.
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

/** The least number of bytes of a grammar; infinite if no text matches. */
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

/** `leastOf`, cached, because it is called for every byte. Rules are settled before anything is matched. */
function known(grammar: Grammar): number {
  const found = lengths.get(grammar);
  if (found !== undefined) return found;
  const least = leastOf(grammar);
  lengths.set(grammar, least);
  return least;
}

/**
 * Computes the least number of bytes of `rules`, which may contain each other. Call it once all are defined, before
 * they are used. A rule that always contains itself can never end and stays infinite.
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

/** `leastOf` before rules are settled, when nothing may be cached. */
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

/** The least number of bytes of `grammar`, whose rules are settled. */
export function leastBytes(grammar: Grammar): number {
  return known(grammar);
}
