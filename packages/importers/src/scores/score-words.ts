// The words and numbers that a score can be written in, the same for all file formats. A page of the documentation is
// generated from it.

/** Words for a missing value, in columns of errors and among scores; those with `#` are a spreadsheet's. */
export const MISSING_WORDS: readonly string[] = [
  ...["", "nan", "-nan", "none", "null", "nil", "nat", "na", "n/a", "n.a.", "#n/a", "<na>", "undefined"],
  ...["-", "--", "–", "—", "{}", "[]", "()", "#div/0!", "#ref!", "#value!", "#name?", "#num!", "#null!"],
];

/** Words for an infinity, with or without a sign: among scores and measurements they count as missing. */
export const INFINITIES: readonly string[] = ["inf", "infinity", "∞"];
const INFINITY = new RegExp(`^[-+\u2212]?(?:${INFINITIES.join("|")})$`, "i");

/**
 * A vocabulary: words used together, with the value of each. It can read a score if it has all of the score's words.
 */
export interface Vocabulary {
  readonly name: string;
  readonly right: readonly string[];
  readonly wrong: readonly string[];
  /** Half right. */
  readonly half?: readonly string[];
  /** Whether its words are single letters: then a column with only one of them may mean something else. */
  readonly letters?: true;
}

/** All vocabularies. Case, accents, spaces, `_` and `-` are ignored. */
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
      ...["good", "valid", "win", "won", "hit", "✓", "✔", "✔️", "✅", "☑", "👍", "√"],
    ],
    wrong: [
      ...["false", "no", "incorrect", "wrong", "fail", "failed", "failure", "not correct", "not ok"],
      ...["reject", "rejected", "unacceptable", "unresolved", "unsolved", "mismatch", "no match"],
      ...["not attempted", "no answer", "falsch", "nein", "inkorrekt", "nicht bestanden", "faux", "non"],
      ...["incorrecte", "echoue", "falso", "incorrecto", "incorrecta", "reprobado", "nao", "incorreto"],
      ...["incorreta", "errado", "errato", "sbagliato", "onwaar", "onjuist", "nee", "fout", "falskt", "nej"],
      ...["fel", "falsz", "nie", "нет", "неверно", "неправильно", "ложь", "否", "错", "錯", "错误", "錯誤"],
      ...[
        "いいえ",
        "不正解",
        "아니요",
        "거짓",
        "bad",
        "invalid",
        "ko",
        "loss",
        "lose",
        "lost",
        "miss",
        "✗",
        "✘",
        "❌",
        "✖",
        "☒",
        "👎",
        "×",
      ],
    ],
    half: [
      "partial",
      "partially",
      "partially correct",
      "partly correct",
      "half",
      "tie",
      "draw",
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

/** The value of a word in each vocabulary that has it. */
export interface KnownWord {
  /** A bit for each vocabulary that has it. */
  readonly vocabularies: number;
  /** Whether it is right or wrong in any vocabulary; undefined if it is always half right. */
  readonly boolean: boolean | undefined;
  readonly number: number;
  /** Whether it is only a letter of vocabularies of letters, and may be one of other letters. */
  readonly isLetter: boolean;
}

const WORDS: ReadonlyMap<string, KnownWord> = wordsOf();
const MISSING: ReadonlySet<string> = new Set(MISSING_WORDS);

function wordsOf(): ReadonlyMap<string, KnownWord> {
  const words = new Map<string, KnownWord>();
  for (const [bit, { right, wrong, half = [], letters = false }] of VOCABULARIES.entries()) {
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
          // Inspect AI uses a letter for half right that means passed elsewhere.
          number,
          isLetter: letters,
        });
      }
    }
  }
  return words;
}

/** Removes differences that are ignored between words. */
function folded(text: string): string {
  const lower = text.trim().toLowerCase();
  if (/^[a-z]*$/.test(lower)) return lower;
  return lower
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .normalize("NFC")
    .replace(/[\s_-]+/g, " ")
    .replace(/[.!]$/, "");
}

/** The known word that a text among scores is, if any. */
export function knownWord(text: string): KnownWord | undefined {
  return text.length > LONGEST ? undefined : WORDS.get(folded(text));
}

/** Whether a text stands for a missing value. */
export function isMissing(text: string): boolean {
  return text.length < LONGEST_MISSING && MISSING.has(text.trim().toLowerCase());
}

/** The meaning of a text among scores. */
interface ParsedText {
  /** Whether it is a missing value, an infinity, or a number that a double cannot hold. */
  readonly isMissing: boolean;
  /** If it is a number. */
  readonly number: NumberText | undefined;
  /** If it is a known word and not a number. */
  readonly word: KnownWord | undefined;
}

const LONGEST_MISSING = 12;
const NO_MEANING: ParsedText = { isMissing: false, number: undefined, word: undefined };

// Nearly all meaningful texts are short and frequent. Longer ones may be slices of a file's text, and would keep it in
// memory.
const [REMEMBERED, LONGEST_REMEMBERED] = [4096, 12];
const remembered = new Map<string, ParsedText>();

// No number begins with a letter, and no word has a digit: this is an id, such as `q17`.
const NAME = /^[a-z].*\d/i;

/** The meaning of a text. */
export function parseText(text: string): ParsedText {
  if (text.length > LONGEST || NAME.test(text)) return NO_MEANING;
  if (text.length > LONGEST_REMEMBERED) return parsed(text);
  let known = remembered.get(text);
  if (known === undefined) {
    known = parsed(text);
    if (remembered.size === REMEMBERED) remembered.clear();
    remembered.set(text, known);
  }
  return known;
}

function parsed(text: string): ParsedText {
  const number = numberText(text);
  const isInfinite =
    number === undefined
      ? INFINITY.test(text.trim())
      : number.point === Infinity || number.point === -Infinity;
  if (isInfinite || isMissing(text)) return { ...NO_MEANING, isMissing: true };
  return { isMissing: false, number, word: number === undefined ? knownWord(text) : undefined };
}

/** The maximum length of a number or known word. */
const LONGEST = 40;

/** The vocabularies for a set of bits. */
export function vocabulariesOf(bits: number): readonly Vocabulary[] {
  return VOCABULARIES.filter((_, bit) => (bits & (1 << bit)) !== 0);
}

/** The value of a number in a text, with each of the two decimal separators. */
export interface NumberText {
  /** With a decimal point; undefined if not possible. */
  readonly point: number | undefined;
  /** With a decimal comma; undefined if not possible. */
  readonly comma: number | undefined;
  /** Whether it has more than digits, sign, point and exponent. */
  readonly isFormatted: boolean;
}

const UNFORMATTED = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const OUT_OF = /^(\d+(?:\.\d+)?) ?(?:\/|out of) ?([1-9]\d*)$/;
const FORMATTED = /^([+-]?)[$€£¥]?([\d.,' ]*\d)[$€£¥]?(?: ?(%))?$/;
const GROUPS = { point: /^[1-9]\d{0,2}(?:[,' ]\d{3})+$/, comma: /^[1-9]\d{0,2}(?:[.' ]\d{3})+$/ };

/**
 * Reads a number: plain, with separated thousands, with a decimal comma, as a percentage (85% is 0.85), with a currency
 * sign, or out of a maximum (7/10 is 0.7). Undefined if it is not a number.
 */
export function numberText(text: string): NumberText | undefined {
  if (text.length > LONGEST) return undefined;
  const trimmed = text.trim();
  if (UNFORMATTED.test(trimmed)) {
    const point = Number(trimmed);
    // 1.234 may be over a thousand, if points separate thousands.
    const whole = GROUPS.comma.test(trimmed.replace(/^[+-]/, ""));
    if (!trimmed.includes(".")) return { point, comma: point, isFormatted: false };
    return { point, comma: whole ? Number(trimmed.replaceAll(".", "")) : undefined, isFormatted: false };
  }
  const [, reached, most] = OUT_OF.exec(trimmed) ?? [];
  if (reached !== undefined) {
    const share = Number(reached) / Number(most);
    return { point: share, comma: share, isFormatted: true };
  }
  const normalised = trimmed
    .replace(/[\u00a0\u2009\u202f]/g, " ")
    .replace("\u2212", "-")
    .replaceAll("\u2019", "'");
  const [, sign = "", digits, percent] = FORMATTED.exec(normalised) ?? [];
  if (digits === undefined) return undefined;
  const read = (decimal: "." | ","): number | undefined => {
    const at = digits.lastIndexOf(decimal);
    const [whole, decimals] = at === -1 ? [digits, ""] : [digits.slice(0, at), digits.slice(at + 1)];
    if (!/^\d*$/.test(decimals)) return undefined;
    const isGrouped = GROUPS[decimal === "." ? "point" : "comma"].test(whole);
    if (!/^\d*$/.test(whole) && !isGrouped) return undefined;
    // Shifts the point in the text, so that 15.5% is exactly 0.155.
    return Number(
      `${sign}${whole.replace(/\D/g, "") || "0"}.${decimals || "0"}e${percent === undefined ? 0 : -2}`,
    );
  };
  const [point, comma] = [read("."), read(",")];
  return point === undefined && comma === undefined ? undefined : { point, comma, isFormatted: true };
}
