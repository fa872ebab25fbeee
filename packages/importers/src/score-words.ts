// The words and numbers that a score can be written in: one table for all kinds of files. A page of the documents is made
// of it.

/** Words that mean that there is nothing, in a column of errors as among scores. */
export const NOTHING: readonly string[] = [
  ...["", "nan", "-nan", "none", "null", "nil", "nat", "na", "n/a", "n.a.", "#n/a", "<na>", "undefined"],
  ...["-", "--", "{}", "[]", "()"],
];

/** A vocabulary: words that are used together, with what each counts as. A score is read by one that has all its words. */
export interface Vocabulary {
  readonly name: string;
  readonly right: readonly string[];
  readonly wrong: readonly string[];
  /** Half right. */
  readonly half?: readonly string[];
  /** Whether a word is one letter: then a column that says only one of them may mean something else. */
  readonly letters?: true;
}

/** All vocabularies. Case, accents, spaces, `_` and `-` make no difference. */
export const VOCABULARIES: readonly Vocabulary[] = [
  {
    name: "words",
    right: [
      ...["true", "yes", "correct", "right", "pass", "passed", "success", "succeeded", "successful", "ok"],
      ...["accept", "accepted", "acceptable", "resolved", "solved", "match", "matched", "is correct"],
      ...["wahr", "ja", "richtig", "korrekt", "bestanden", "vrai", "oui", "juste", "reussi", "exact"],
      ...["verdadero", "si", "correcto", "correcta", "aprobado", "verdadeiro", "sim", "correto", "correta"],
      ...[
        "certo",
        "vero",
        "corretto",
        "corretta",
        "giusto",
        "waar",
        "juist",
        "goed",
        "sant",
        "ratt",
        "prawda",
      ],
      ...[
        "tak",
        "да",
        "верно",
        "правильно",
        "истина",
        "是",
        "对",
        "對",
        "正确",
        "正確",
        "はい",
        "正解",
        "예",
        "참",
      ],
      ...["✓", "✔", "✔️", "✅", "☑", "👍"],
    ],
    wrong: [
      ...["false", "no", "incorrect", "wrong", "fail", "failed", "failure", "not correct", "not ok"],
      ...["reject", "rejected", "unacceptable", "unresolved", "unsolved", "mismatch", "no match"],
      ...["not attempted", "no answer", "falsch", "nein", "inkorrekt", "nicht bestanden", "faux", "non"],
      ...["incorrecte", "echoue", "falso", "incorrecto", "incorrecta", "reprobado", "nao", "incorreto"],
      ...["incorreta", "errado", "errato", "sbagliato", "onwaar", "onjuist", "nee", "fout", "falskt", "nej"],
      ...["fel", "falsz", "nie", "нет", "неверно", "неправильно", "ложь", "否", "错", "錯", "错误", "錯誤"],
      ...["いいえ", "不正解", "아니요", "거짓", "✗", "✘", "❌", "✖", "☒", "👎"],
    ],
    half: [
      "partial",
      "partially",
      "partially correct",
      "partly correct",
      "half",
      "teilweise",
      "teilweise richtig",
    ],
  },
  { name: "T and F", right: ["t"], wrong: ["f"], letters: true },
  { name: "Y and N", right: ["y"], wrong: ["n"], letters: true },
  { name: "J and N", right: ["j"], wrong: ["n"], letters: true },
  { name: "P and F", right: ["p"], wrong: ["f"], letters: true },
  { name: "grades of Inspect AI", right: ["c"], wrong: ["i", "n"], half: ["p"], letters: true },
];

/** What a word counts as, in each vocabulary that has it. */
export interface KnownWord {
  /** A bit for each vocabulary. */
  readonly vocabularies: number;
  /** Whether it is right or wrong in some; undefined when it is half right wherever it occurs. */
  readonly boolean: boolean | undefined;
  readonly number: number;
}

const WORDS: ReadonlyMap<string, KnownWord> = wordsOf();
const NO_WORDS: ReadonlySet<string> = new Set(NOTHING);

function wordsOf(): ReadonlyMap<string, KnownWord> {
  const words = new Map<string, KnownWord>();
  for (const [bit, { right, wrong, half = [] }] of VOCABULARIES.entries()) {
    for (const [texts, number] of [
      [right, 1],
      [wrong, 0],
      [half, 0.5],
    ] as const) {
      for (const text of texts) {
        const known = words.get(folded(text));
        const boolean = number === 0.5 ? undefined : number === 1;
        words.set(folded(text), {
          vocabularies: (known?.vocabularies ?? 0) | (1 << bit),
          boolean: known?.boolean ?? boolean,
          // Half right is what Inspect AI means by a letter that passes elsewhere.
          number,
        });
      }
    }
  }
  return words;
}

/** A text without what makes no difference between words. */
function folded(text: string): string {
  const plain = text.trim().toLowerCase();
  if (/^[a-z]*$/.test(plain)) return plain;
  return plain
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .normalize("NFC")
    .replace(/[\s_-]+/g, " ")
    .replace(/[.!]$/, "");
}

/** What a text among scores counts as when it is a word that is known. */
export function knownWord(text: string): KnownWord | undefined {
  return text.length > LONGEST ? undefined : WORDS.get(folded(text));
}

/** Whether a text says that there is nothing. */
export function isNothing(text: string): boolean {
  return text.length < LONGEST_NOTHING && NO_WORDS.has(text.trim().toLowerCase());
}

/** What a text among scores says. */
interface Said {
  readonly isNothing: boolean;
  /** When it is a number. */
  readonly number: NumberText | undefined;
  /** When it is a word that is known, and no number. */
  readonly word: KnownWord | undefined;
}

const LONGEST_NOTHING = 12;
const NOTHING_KNOWN: Said = { isNothing: false, number: undefined, word: undefined };

// Nearly all texts that say something are short and come many times. Longer ones may be a part of the text of a file, which
// they would keep in memory.
const [REMEMBERED, LONGEST_REMEMBERED] = [4096, 12];
const remembered = new Map<string, Said>();

/** What a text says. */
export function saidBy(text: string): Said {
  if (text.length > LONGEST) return NOTHING_KNOWN;
  if (text.length > LONGEST_REMEMBERED) return said(text);
  let known = remembered.get(text);
  if (known === undefined) {
    known = said(text);
    if (remembered.size === REMEMBERED) remembered.clear();
    remembered.set(text, known);
  }
  return known;
}

function said(text: string): Said {
  if (isNothing(text)) return { ...NOTHING_KNOWN, isNothing: true };
  const number = numberText(text);
  return { isNothing: false, number, word: number === undefined ? knownWord(text) : undefined };
}

/** Of a text that is a number or a word. */
const LONGEST = 40;

/** The vocabularies that have all the words whose bits are given. */
export function vocabulariesOf(bits: number): readonly Vocabulary[] {
  return VOCABULARIES.filter((_, bit) => (bits & (1 << bit)) !== 0);
}

/** A number as a text says it, in each of the two ways in which a text can be meant. */
export interface NumberText {
  /** With a point before the decimals; undefined when it cannot be. */
  readonly point: number | undefined;
  /** With a comma before the decimals. */
  readonly comma: number | undefined;
  /** Whether it is more than digits, sign, point and exponent. */
  readonly isDressed: boolean;
}

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const OUT_OF = /^(\d+(?:\.\d+)?) ?(?:\/|out of) ?([1-9]\d*)$/;
const DRESSED = /^([+-]?)[$€£¥]?([\d.,' ]*\d)[$€£¥]?(?: ?(%))?$/;
const GROUPS = { point: /^[1-9]\d{0,2}(?:[,' ]\d{3})+$/, comma: /^[1-9]\d{0,2}(?:[.' ]\d{3})+$/ };

/**
 * The number that a text is: plain, with thousands set apart, with a decimal comma, as a percentage (85% is 0.85), with a
 * currency's sign, out of a greatest one (7/10 is 0.7). Undefined when it is none.
 */
export function numberText(text: string): NumberText | undefined {
  if (text.length > LONGEST) return undefined;
  const trimmed = text.trim();
  if (PLAIN.test(trimmed)) {
    const point = Number(trimmed);
    // 1.234 may be a thousand and more, where points set thousands apart.
    const whole = GROUPS.comma.test(trimmed.replace(/^[+-]/, ""));
    if (!trimmed.includes(".")) return { point, comma: point, isDressed: false };
    return { point, comma: whole ? Number(trimmed.replaceAll(".", "")) : undefined, isDressed: false };
  }
  const [, reached, most] = OUT_OF.exec(trimmed) ?? [];
  if (reached !== undefined) {
    const share = Number(reached) / Number(most);
    return { point: share, comma: share, isDressed: true };
  }
  const plain = trimmed
    .replace(/[\u00a0\u2009\u202f]/g, " ")
    .replace("\u2212", "-")
    .replaceAll("\u2019", "'");
  const [, sign = "", digits, percent] = DRESSED.exec(plain) ?? [];
  if (digits === undefined) return undefined;
  const read = (decimal: "." | ","): number | undefined => {
    const at = digits.lastIndexOf(decimal);
    const [whole, decimals] = at === -1 ? [digits, ""] : [digits.slice(0, at), digits.slice(at + 1)];
    if (!/^\d*$/.test(decimals)) return undefined;
    const isGrouped = GROUPS[decimal === "." ? "point" : "comma"].test(whole);
    if (!/^\d*$/.test(whole) && !isGrouped) return undefined;
    // Written as text, so that 15.5% is the number that 0.155 is.
    return Number(
      `${sign}${whole.replace(/\D/g, "") || "0"}.${decimals || "0"}e${percent === undefined ? 0 : -2}`,
    );
  };
  const [point, comma] = [read("."), read(",")];
  return point === undefined && comma === undefined ? undefined : { point, comma, isDressed: true };
}
