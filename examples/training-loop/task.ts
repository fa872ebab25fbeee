// The task: is a two-digit number small, medium or large? Half of the numbers are for training, half are held out.

/** A chat message. */
export interface Message {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** The question about a number: its two digits, which the tiny model attends to together. */
export function questionOf(number: number): Message {
  return { role: "user", content: String(number).padStart(2, "0") };
}

/** The correct answer. */
export function sizeOf(number: number): string {
  if (number < 34) return "small";
  return number < 67 ? "medium" : "large";
}

/** The scores of an answer: whether it is correct, and whether it is one of the three words. */
export function scoresOf(
  answer: string,
  number: number,
): { readonly correct: boolean; readonly a_size: boolean } {
  return { correct: answer === sizeOf(number), a_size: ["small", "medium", "large"].includes(answer) };
}

/** The reward: 1 for a correct answer, a little for one of the words. */
export function rewardOf(answer: string, number: number): number {
  const { correct, a_size } = scoresOf(answer, number);
  return correct ? 1 : a_size ? 0.2 : 0;
}

const numbers = Array.from({ length: 100 }, (_, number) => number);

/** The numbers for training. */
export const TRAINED: readonly number[] = numbers.filter((number) => number % 2 === 0);

/** The held-out numbers, which only evaluations use. */
export const HELD_OUT: readonly number[] = numbers.filter((number) => number % 2 === 1);

/** A few examples for fine-tuning: enough to learn the words, too few to learn the sizes. */
export const DEMONSTRATED: readonly number[] = TRAINED.filter((_, at) => at % 6 === 0);
