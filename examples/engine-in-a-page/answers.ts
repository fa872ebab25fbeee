// Answers of two models to the same questions, as a flat table: one object for each question and model.

const QUESTIONS = [
  { question: "7 + 5", category: "sum", small: "12", large: "12", right: "12" },
  { question: "19 + 34", category: "sum", small: "43", large: "53", right: "53" },
  { question: "128 + 77", category: "sum", small: "195", large: "205", right: "205" },
  { question: "6 × 7", category: "product", small: "42", large: "42", right: "42" },
  { question: "12 × 12", category: "product", small: "144", large: "144", right: "144" },
  { question: "13 × 17", category: "product", small: "211", large: "221", right: "221" },
  { question: "24 × 15", category: "product", small: "340", large: "360", right: "360" },
  { question: "100 − 58", category: "difference", small: "42", large: "42", right: "42" },
  { question: "81 − 94", category: "difference", small: "-13", large: "13", right: "-13" },
  { question: "7 − 21", category: "difference", small: "-14", large: "-14", right: "-14" },
  { question: "144 ÷ 12", category: "quotient", small: "12", large: "12", right: "12" },
  { question: "91 ÷ 7", category: "quotient", small: "12", large: "13", right: "13" },
];

export const answers = (["small", "large"] as const).flatMap((model) =>
  QUESTIONS.map(({ question, category, right, ...by }) => ({
    model,
    question,
    category,
    answer: by[model],
    correct: by[model] === right,
  })),
);
