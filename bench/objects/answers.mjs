// Answers of three models to 10,000 questions as objects, the same for every program and language: numbers come from
// 32-bit xorshift.

export const QUESTIONS = 10_000;
export const MODELS = ["small", "medium", "large"];

export function answers() {
  let state = 2463534242;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
  const rows = [];
  for (let q = 0; q < QUESTIONS; q++)
    for (const model of MODELS)
      rows.push({
        model,
        question: `question ${q}: how much is ${q * 7} and ${q % 97}?`,
        answer: `${q * 7 + (q % 97)}`,
        quality: next(),
        correct: next() < 0.6,
      });
  return rows;
}
