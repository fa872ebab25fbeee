// The task: is a number of two digits small, medium or large? Half of the numbers are trained on, half are held out.

/** A message as chats send it. */
export interface Message {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** What is asked about a number. The digits stand at the end, where the tiny model sees them at once. */
export function questionOf(number: number): Message {
  return { role: "user", content: String(number).padStart(2, "0") };
}

/** The right answer. */
export function sizeOf(number: number): string {
  if (number < 34) return "small";
  return number < 67 ? "medium" : "large";
}

/** What an answer is worth: whether it is right, and whether it is one of the three words at all. */
export function scoresOf(
  answer: string,
  number: number,
): { readonly correct: boolean; readonly a_size: boolean } {
  return { correct: answer === sizeOf(number), a_size: ["small", "medium", "large"].includes(answer) };
}

/** The reward: most of it for being right, a little for saying one of the words. */
export function rewardOf(answer: string, number: number): number {
  const { correct, a_size } = scoresOf(answer, number);
  return correct ? 1 : a_size ? 0.2 : 0;
}

const numbers = Array.from({ length: 100 }, (_, number) => number);

/** What is trained on. */
export const TRAINED: readonly number[] = numbers.filter((number) => number % 2 === 0);

/** What no training ever sees: the evaluations ask these. */
export const HELD_OUT: readonly number[] = numbers.filter((number) => number % 2 === 1);

/** A handful with their answers, for fine-tuning: enough to learn the words, too few to learn the sizes. */
export const DEMONSTRATED: readonly number[] = TRAINED.filter((_, at) => at % 6 === 0);
