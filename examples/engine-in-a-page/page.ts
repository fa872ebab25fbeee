// The page's program: turns a table of answers into evaluations, and queries the engine each time the condition
// changes. Nothing leaves the page. Text from a model is inserted as text, never as markup.

import { fromTable } from "@assay/eval-engine";
import { verdictSentence } from "@assay/eval-engine/words";
import { answers } from "./answers.ts";

const loaded = fromTable(answers, {
  evaluation: "model",
  row: ["question", "category"],
  output: "answer",
  scores: ["correct"],
});
const [baseline, candidate] = loaded.evaluations as [string, string];

const element = (id: string): HTMLElement => document.getElementById(id)!;
const where = element("where") as HTMLInputElement;

/** Shows the rows and the verdict for the typed condition, or the error in it. */
async function show(): Promise<void> {
  const condition = where.value.trim();
  try {
    const kept = condition === "" ? {} : { where: condition };
    const { rows } = await loaded.query({ ...kept, sort: "Δcorrect" });
    const { level, comparisons } = await loaded.compare(kept);
    const measure = comparisons[0]?.measures[0];
    element("verdict").textContent =
      measure === undefined ? "No row." : verdictSentence({ baseline, candidate }, measure, level);
    element("rows").replaceChildren(
      ...rows.map(({ raw_data_row, evaluations }) => {
        const row = raw_data_row as { question: string };
        const answered = [baseline, candidate].map((name) =>
          evaluations
            .filter(({ evaluation_call_id }) => evaluation_call_id === name)
            .flatMap(({ trials }) => trials.map(({ model_output }) => String(model_output)))
            .join(", "),
        );
        return line([row.question, ...answered]);
      }),
    );
  } catch (error) {
    element("verdict").textContent = error instanceof Error ? error.message : String(error);
  }
}

function line(cells: readonly string[]): HTMLTableRowElement {
  const row = document.createElement("tr");
  for (const text of cells) row.insertCell().textContent = text;
  return row;
}

where.addEventListener("input", () => void show());
await show();
