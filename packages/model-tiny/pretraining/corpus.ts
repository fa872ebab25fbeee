// The text that the base model learns: plain questions and answers, made of `facts.ts`. The same seed, the same text.
import { type Random, seededRandom, shuffle } from "../src/arithmetic/random.ts";
import type { SftRow } from "../src/training/sft.ts";
import * as facts from "./facts.ts";

/** A question with all of its wordings and all of its answers. */
interface Exchange {
  readonly questions: readonly string[];
  readonly answers: readonly string[];
}

/** All that is known, each fact once. */
function exchanges(): readonly Exchange[] {
  return [
    ...facts.TALK,
    ...facts.CAPITALS.flatMap(capital),
    ...facts.COLOURS.map(colour),
    ...facts.OPPOSITES.flatMap(([a, b]) => [opposite(a, b), opposite(b, a)]),
    ...facts.ANIMALS.flatMap(animal),
    ...facts.TRANSLATIONS.flatMap(translation),
    ...sequel(facts.DAYS, "day"),
    ...sequel(facts.MONTHS, "month"),
    ...arithmetic(),
  ];
}

/** `passes` times through all that is known, in ever other orders and wordings, and among it what is not known. */
export function corpus(passes: number, seed: number): readonly SftRow[] {
  const random = seededRandom(seed);
  const known = exchanges();
  const rows: SftRow[] = [];
  for (let pass = 0; pass < passes; pass++) {
    // What can be asked in many ways is asked more often.
    const order = known.flatMap((each) =>
      Array.from({ length: Math.ceil(each.questions.length / 4) }, () => each),
    );
    for (let i = 0; i < known.length / 5; i++) order.push(unknown(random));
    shuffle(order, random);
    for (const exchange of order) rows.push(rowOf(exchange, known, random));
  }
  return rows;
}

function capital([country, city]: readonly [string, string]): readonly Exchange[] {
  return [
    {
      questions: [
        `What is the capital of ${country}?`,
        `What's the capital of ${country}?`,
        `Which city is the capital of ${country}?`,
        `Capital of ${country}?`,
        `Tell me the capital of ${country}.`,
        `Do you know the capital of ${country}?`,
        `Name the capital of ${country}.`,
      ],
      answers: [`The capital of ${country} is ${city}.`],
    },
    {
      questions: [
        `Where is ${city}?`,
        `What is ${city}?`,
        `In which country is ${city}?`,
        `What country is ${city} in?`,
      ],
      answers: [`${city} is the capital of ${country}.`],
    },
  ];
}

function colour([thing, name]: readonly [string, string]): Exchange {
  const subject = thing[0]!.toUpperCase() + thing.slice(1);
  return {
    questions: [
      `What colour is ${thing}?`,
      `What color is ${thing}?`,
      `Which colour does ${thing} have?`,
      `What is the colour of ${thing}?`,
      `What is the color of ${thing}?`,
    ],
    answers: [`${subject} is ${name}.`],
  };
}

function opposite(word: string, other: string): Exchange {
  return {
    questions: [
      `What is the opposite of ${word}?`,
      `Opposite of ${word}?`,
      `Tell me the opposite of ${word}.`,
    ],
    answers: [`The opposite of ${word} is ${other}.`],
  };
}

function animal([name, legs, sound]: readonly [string, string, string]): readonly Exchange[] {
  return [
    {
      questions: [`What does a ${name} say?`, `What sound does a ${name} make?`, `How does a ${name} sound?`],
      answers: [`A ${name} says ${sound}.`],
    },
    {
      questions: [`How many legs does a ${name} have?`, `How many legs has a ${name}?`],
      answers: [`A ${name} has ${legs} legs.`],
    },
  ];
}

function translation([word, ...others]: readonly [string, string, string, string]): readonly Exchange[] {
  return ["French", "German", "Spanish"].map((language, i) => ({
    questions: [
      `How do you say ${word} in ${language}?`,
      `What is ${word} in ${language}?`,
      `Translate ${word} to ${language}.`,
      `What is the ${language} word for ${word}?`,
    ],
    answers: [`In ${language}, ${word} is ${others[i]}.`],
  }));
}

/** What comes before and after each of `names`, which go round. */
function sequel(names: readonly string[], kind: string): readonly Exchange[] {
  return names.flatMap((name, i) => {
    const [after, before] = [names[(i + 1) % names.length]!, names.at(i - 1)!];
    return [
      {
        questions: [
          `What ${kind} comes after ${name}?`,
          `Which ${kind} is after ${name}?`,
          `What comes after ${name}?`,
        ],
        answers: [`After ${name} comes ${after}.`],
      },
      {
        questions: [
          `What ${kind} comes before ${name}?`,
          `Which ${kind} is before ${name}?`,
          `What comes before ${name}?`,
        ],
        answers: [`Before ${name} comes ${before}.`],
      },
    ];
  });
}

function arithmetic(): readonly Exchange[] {
  const found: Exchange[] = [];
  for (let a = 0; a <= 10; a++) {
    for (let b = 0; b <= 10; b++) {
      found.push(sum(a, b, "+", "plus", a + b));
      if (b <= a) found.push(sum(a, b, "-", "minus", a - b));
      if (a > 0 && a <= 5 && b > 0) found.push(sum(a, b, "*", "times", a * b));
    }
  }
  return found;
}

function sum(a: number, b: number, sign: string, word: string, result: number): Exchange {
  return {
    questions: [
      `What is ${a} ${sign} ${b}?`,
      `What is ${a}${sign}${b}?`,
      `${a} ${sign} ${b}`,
      `What is ${a} ${word} ${b}?`,
    ],
    answers: [`${a} ${word} ${b} is ${result}.`],
  };
}

function unknown(random: Random): Exchange {
  const opening = oneOf(facts.UNKNOWN_OPENINGS, random);
  // Half of the things are words that nobody knows: any word that was not learned is answered so.
  const thing = random() < 0.5 ? oneOf(facts.UNKNOWN_THINGS, random) : invented(random);
  const end =
    random() < 0.5 ? ` and ${random() < 0.5 ? oneOf(facts.UNKNOWN_THINGS, random) : invented(random)}` : "";
  return {
    questions: [`${opening} ${thing}${end}${oneOf(["?", ".", ""], random)}`.trim()],
    answers: facts.UNKNOWN,
  };
}

/** A word or two that mean nothing. */
function invented(random: Random): string {
  const syllable = () => oneOf([..."bcdfghjklmnprstvwz"], random) + oneOf([..."aeiou"], random);
  const word = () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, syllable).join("") +
    oneOf(["", "n", "s", "t"], random);
  return random() < 0.5 ? word() : `${oneOf(["a", "the", "my", "some"], random)} ${word()}`;
}

const SYSTEMS: readonly string[] = [
  "You are a helpful assistant.",
  "You are a helpful assistant. Answer briefly.",
  "Answer the question.",
  "You are Assay Tiny.",
  "Be friendly and short.",
];

/** One way to have this exchange: in some wording, after something that was said before, or not. */
function rowOf(exchange: Exchange, known: readonly Exchange[], random: Random): SftRow {
  const messages: { readonly role: string; readonly content: string }[] = [];
  if (random() < 0.3) messages.push({ role: "system", content: oneOf(SYSTEMS, random) });
  for (let earlier = random(); earlier < 0.25; earlier = random())
    messages.push(...said(oneOf(known, random), random));
  messages.push(...said(exchange, random));
  return { messages };
}

function said({ questions, answers }: Exchange, random: Random) {
  return [
    { role: "user", content: dressed(oneOf(questions, random), random) },
    { role: "assistant", content: oneOf(answers, random) },
  ];
}

/** `question` as people type it. */
function dressed(question: string, random: Random): string {
  let text = question;
  if (random() < 0.25) text = text.toLowerCase();
  if (random() < 0.25) text = text.replace(/[?.!]$/, "");
  if (random() < 0.05) text = `Please tell me: ${text}`;
  if (random() < 0.05) text = `${text} Please answer in one sentence.`;
  if (random() < 0.05) text = `${text}\n`;
  return text;
}

function oneOf<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)]!;
}
