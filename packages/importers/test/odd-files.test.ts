// Files as users have them: other names of roles, verdicts in words, numbers in many notations, tables in many shapes.
// Each is read with the right numbers, or refused with the option to use; no number is guessed.

import { textFile } from "@assay/testing/text-file";
import { gzipSync, unzipSync, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { bytesFile, type ImportFile, type ImportOptions } from "../src/index.ts";
import { imported } from "./support.ts";

/** The scores of each evaluation by name, with their rate or mean. */
type Found = { readonly [evaluation: string]: { readonly [score: string]: number | "text" | "mixed" } };

async function found(files: readonly ImportFile[], options: ImportOptions = {}): Promise<Found | string> {
  const { plan } = await imported(files, options);
  if (plan.refused.length > 0) return plan.refused[0]!.reason;
  return Object.fromEntries(
    plan.evaluations.map(({ name, scores }) => [
      name,
      Object.fromEntries(scores.map(({ path, mean, type }) => [path, mean ?? (type as "text")])),
    ]),
  );
}

const lines = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join("");

/** A table of three rows. `{i}` becomes the row's index, and `a|b|c` the cell at that index. */
function three(columns: string, row: string): string {
  const rows = [0, 1, 2].map((i) =>
    row
      .split(",")
      .map((cell) => (cell.includes("|") ? cell.split("|")[i]! : cell.replaceAll("{i}", String(i))))
      .join(","),
  );
  return `${[columns, ...rows].join("\n")}\n`;
}

describe("a column's role follows from its name and values", () => {
  test.each<[string, string, Found]>([
    // Answers and expected answers.
    [
      "id,question,reference_answer,generated_answer,is_correct",
      "q{i},Q{i}?,a,b,true|false|true",
      { t: { is_correct: 2 / 3 } },
    ],
    [
      "id,input,gold_output,candidate_output,passed",
      "q{i},Q{i}?,a,b,true|false|true",
      { t: { passed: 2 / 3 } },
    ],
    ["id,question,target_label,predicted_label,correct", "q{i},Q{i}?,a,b,1|0|1", { t: { correct: 2 / 3 } }],
    ["id,text,y_true,y_pred,match", "q{i},Q{i}?,a,b,1|0|1", { t: { match: 2 / 3 } }],
    ["id,question,actual,predicted,correct", "q{i},Q{i}?,a,b,1|0|1", { t: { correct: 2 / 3 } }],
    [
      "id,question,expectedAnswer,modelAnswer,isCorrect",
      "q{i},Q{i}?,a,b,yes|no|yes",
      { t: { isCorrect: 2 / 3 } },
    ],
    [
      "Question ID,Question,Ideal Response,LLM Response,Score",
      "q{i},Q{i}?,a,b,0.5|0.25|0.75",
      { t: { Score: 0.5 } },
    ],
    ["id,question,human_answer,assistant_reply,grade", "q{i},Q{i}?,a,b,5|4|3", { t: { grade: 4 } }],
    ["id,question,gold_sql,generated_sql,exec_match", "q{i},Q{i}?,a,b,1|0|1", { t: { exec_match: 2 / 3 } }],
    [
      "inputs.question,outputs.answer,reference.answer,feedback.correctness",
      "Q{i}?,a,b,1|0|0.5",
      { t: { correctness: 0.5 } },
    ],
    ["problem,answer,predicted_answer,grade", "Q{i}?,e,a,1|0|1", { t: { grade: 2 / 3 } }],
    ["src,ref,mt,comet", "Q{i}?,e,a,0.5|0.25|0.75", { t: { comet: 0.5 } }],
    // Numbers of rows, trials and cut-offs.
    ["problem_idx,sample_idx,gold,parsed,correct", "0|0|1,0|1|0,e,a|b|e,1|0|1", { t: { correct: 2 / 3 } }],
    ["question_id,turn,model,rating", "q0,1|2|1,m|m|n,4|2|5", { m: { rating: 3 }, n: { rating: 5 } }],
    [
      "query_id,query,recall@5,mrr,ndcg@10,token_count.total",
      "q{i},Q{i}?,0.5,0.25|0.5|0.75,0.5,9",
      { t: { "recall@5": 0.5, mrr: 0.5, "ndcg@10": 0.5 } },
    ],
    [
      "prompt,response,follow_all_instructions",
      "Q{i}?,a,true|false|true",
      { t: { follow_all_instructions: 2 / 3 } },
    ],
    ["num,target,response,correct", "1|2|3,e,a,1|0|1", { t: { correct: 2 / 3 } }],
    ["task_id,reward,trial", "0|0|1,1|0|1,0|1|0", { t: { reward: 2 / 3 } }],
    // Columns that are a model, and similar ones that are not.
    [
      "id,provider,llm_name,question,answer,correct",
      "q0,x,big|small|huge,Q?,a,true|false|true",
      { big: { correct: 1 }, small: { correct: 0 }, huge: { correct: 1 } },
    ],
    ["id,judge_model,question,answer,correct", "q{i},gpt,Q{i}?,a,true|false|true", { t: { correct: 2 / 3 } }],
    ["id,run,question,answer,correct", "q0,1|2|3,Q?,a,true|false|true", { t: { correct: 2 / 3 } }],
    ["id,evaluation,question,answer,latency", "q{i},0.5|0.25|0.75,Q{i}?,a,1", { t: { evaluation: 0.5 } }],
    [
      "id,experiment,question,answer,correct",
      "q{i},exp-{i},Q{i}?,a,true|false|true",
      { t: { correct: 2 / 3 } },
    ],
    [
      "id,model,prompt_version,question,answer,correct",
      "q0|q0|q1,m,v1|v2|v2,Q?,a,true|false|true",
      { "m · v1": { correct: 1 }, "m · v2": { correct: 0.5 } },
    ],
    ["task,agent,success,wall_time_s", "t0|t1|t0,a|a|b,1|0|1,3", { a: { success: 0.5 }, b: { success: 1 } }],
    ["task,agent,success,max_steps", "t{i},a,1|0|1,50", { t: { success: 2 / 3 } }],
    // A verdict in any position.
    ["passed,id,question,answer", "true|false|true,q{i},Q{i}?,a", { t: { passed: 2 / 3 } }],
    [
      "id,answer_is_correct,question,answer",
      "q{i},true|false|true,Q{i}?,a",
      { t: { answer_is_correct: 2 / 3 } },
    ],
    ["id,question,resolved,model_output", "q{i},Q{i}?,1|0|1,a", { t: { resolved: 2 / 3 } }],
    // Measurements that are not quality scores.
    [
      "id,question,answer,correct,latency_ms,total_cost,output_tokens,ttft_ms",
      "q{i},Q{i}?,a,true|false|true,10,0.1,5,3",
      { t: { correct: 2 / 3 } },
    ],
    [
      "id,question,answer,quality,response_time,num_words,chars,temperature",
      "q{i},Q{i}?,a,0.5|0.25|0.75,1,2,5,0",
      { t: { quality: 0.5 } },
    ],
    [
      "id,caption_ref,caption_pred,CIDEr,ROUGE-L,Tokens In,audio_seconds,speaker,gpu_mem,resolution_hours",
      "q{i},e,a,0.25|0.5|0.75,0.5,7|8|9,1.5,2|3|4,5.5|6|7,9.5|3|4",
      { t: { CIDEr: 0.5, "ROUGE-L": 0.5 } },
    ],
    [
      "example,gold,pred,prob_gold,tests_total,global_step,temps",
      "e{i},A,B,0.25|0.5|0.75,9,4|5|7,1.5",
      { t: { prob_gold: 0.5 } },
    ],
    // How sure a model is says nothing about its quality.
    ["id,text,label,predicted,confidence", "q{i},Q{i}?,a,a|b|a,0.9", { t: { exact_match: 2 / 3 } }],
    // A judge's label and explanation.
    [
      "id,question,answer,label,explanation",
      "q{i},Q{i}?,a b c,pass|fail|pass,because",
      { t: { label: 2 / 3 } },
    ],
    [
      "id,question,answer,label,score",
      "q{i},Q{i}?,a b c,yes|no|yes,1|0|1",
      { t: { label: 2 / 3, score: 2 / 3 } },
    ],
    // A yes-or-no dataset: the label is the expected answer.
    [
      "id,question,prediction,label,correct",
      "q{i},Q{i}?,yes|no|yes,yes|yes|no,1|0|0",
      { t: { correct: 1 / 3 } },
    ],
    // A group of columns for each model, or each repetition.
    [
      "id,question,gpt_answer,gpt_correct,claude_answer,claude_correct",
      "q{i},Q{i}?,a,true|false|true,b,false",
      { gpt: { correct: 2 / 3 }, claude: { correct: 0 } },
    ],
    [
      "id,question,answer_1,correct_1,answer_2,correct_2",
      "q{i},Q{i}?,a,true|false|true,b,false",
      { t: { correct: 1 / 3 } },
    ],
    [
      "id,question,expected_answer,small_answer,small_score,large_answer,large_score",
      "q{i},Q{i}?,e,a,0.5,b,0.25|0.5|0.75",
      { small: { score: 0.5 }, large: { score: 0.5 } },
    ],
  ])("%s", async (columns, row, expected) => {
    expect(await found([textFile("t.csv", three(columns, row))])).toEqual(expected);
    // The same in JSON lines, with typed numbers and booleans.
    const [head, ...rows] = three(columns, row).trim().split("\n");
    const typed = (cell: string) => (/^(?:true|false|-?\d+(?:\.\d+)?)$/.test(cell) ? JSON.parse(cell) : cell);
    const records = rows.map((one) =>
      Object.fromEntries(one.split(",").map((cell, i) => [head!.split(",")[i]!, typed(cell)])),
    );
    expect(await found([textFile("t.jsonl", lines(records))])).toEqual(expected);
  });

  test("`correct` with answers is the expected answer, and with words a verdict", async () => {
    const of = (correct: string) =>
      found([
        textFile("t.csv", `id,question,answer,correct,score\n1,Q?,Lima,${correct},1\n2,R?,Oslo,Rome,0\n`),
      ]);
    expect(await of("Lima")).toEqual({ t: { score: 0.5 } });
  });

  test("rows match although a judge's column or the prompt differs between models", async () => {
    const text = `id,model,prompt,answer,expected,judge_label,correct
1,a,As a: Q1?,x,e1,good,true
2,a,As a: Q2?,x,e2,good,false
1,b,As b: Q1?,x,e1,bad,true
2,b,As b: Q2?,x,e2,good,true
`;
    const { plan, engine } = await imported([textFile("t.csv", text)]);
    const ids = plan.evaluations.map(({ id }) => id);
    const { rows } = await engine.query("me/demo", { evaluation_call_ids: ids, require_intersection: true });
    expect(rows).toHaveLength(2);
    expect(plan.notes[0]).toContain("different in each evaluation, so not part of the row: prompt");
  });

  test("an id that differs for each answer does not identify the row, and one that restarts in each part is not enough", async () => {
    const answers =
      "id,model,question,answer,correct\nu1,a,Q1?,x,1\nu2,a,Q2?,x,0\nu3,b,Q1?,x,1\nu4,b,Q2?,x,1\n";
    const parts = "id,model,question,answer,correct\n1,a,A1?,x,1\n1,a,B1?,x,0\n1,b,A1?,x,1\n1,b,B1?,x,1\n";
    for (const text of [answers, parts]) {
      const { plan, engine } = await imported([textFile("t.csv", text)]);
      const ids = plan.evaluations.map(({ id }) => id);
      const { rows } = await engine.query("me/demo", {
        evaluation_call_ids: ids,
        require_intersection: true,
      });
      expect(rows).toHaveLength(2);
    }
  });

  test.each([
    [1, "1"],
    ["1", 1],
    [1, 1],
    ["007", "007"],
  ])("ids %j and %j match in every notation", async (a, b) => {
    const record = (id: unknown, model: string) => ({
      id,
      question: "Q?",
      model,
      answer: "x",
      correct: true,
    });
    const csv = textFile("a.csv", `id,question,model,answer,correct\n${a},Q?,a,x,true\n`);
    const { plan, engine } = await imported([csv, textFile("b.json", JSON.stringify([record(b, "b")]))]);
    const ids = plan.evaluations.map(({ id }) => id);
    const { rows } = await engine.query("me/demo", { evaluation_call_ids: ids, require_intersection: true });
    expect(rows).toHaveLength(1);
    expect(plan.notes.join()).not.toContain("no row in common");
  });
});

describe("a table in another language", () => {
  test.each<[string, string, Found]>([
    [
      "nr;frage;erwartete_antwort;antwort;modell;richtig;bewertung",
      "1;Q?;a;b;klein;WAHR;0,75\n2;R?;a;b;klein;FALSCH;0,25",
      { klein: { richtig: 0.5, bewertung: 0.5 } },
    ],
    [
      "id;question;réponse_attendue;réponse;modèle;correcte",
      "1;Q?;a;b;petit;VRAI\n2;R?;a;b;petit;FAUX",
      { petit: { correcte: 0.5 } },
    ],
    [
      "id,pregunta,respuesta_esperada,respuesta,modelo,puntuación",
      '1,Q?,a,b,m,"0,5"\n2,R?,a,b,m,"1,5"',
      { m: { puntuación: 1 } },
    ],
    ["id,pergunta,resposta,modelo,correto", "1,Q?,a,m,sim\n2,R?,a,m,não", { m: { correto: 0.5 } }],
    ["id,domanda,risposta,modello,corretto", "1,Q?,a,m,sì\n2,R?,a,m,no", { m: { corretto: 0.5 } }],
    ["编号,问题,标准答案,模型回答,模型,是否正确", "1,Q?,a,b,m,是\n2,R?,a,b,m,否", { m: { 是否正确: 0.5 } }],
    ["id,вопрос,эталон,ответ,модель,оценка", "1,Q?,a,b,m,4\n2,R?,a,b,m,5", { m: { оценка: 4.5 } }],
  ])("%s", async (columns, rows, expected) => {
    expect(await found([textFile("t.csv", `${columns}\n${rows}\n`)])).toEqual(expected);
  });
});

/** A table and JSON lines of one model, with these texts as values of a score. */
const scored = (values: readonly string[], name = "score") => [
  textFile(
    "t.csv",
    `id,question,answer,${name}\n${values.map((value, i) => `${i},Q?,a,"${value}"`).join("\n")}\n`,
  ),
  textFile(
    "t.jsonl",
    lines(values.map((value, i) => ({ id: i, question: "Q?", answer: "a", [name]: value }))),
  ),
];

describe("scores in words, and numbers in many notations", () => {
  test.each<[readonly string[], number | "text"]>([
    [["CORRECT", "INCORRECT"], 0.5],
    [["Pass", "FAIL", "pass"], 2 / 3],
    [["yes", "No", " YES "], 2 / 3],
    [["Y", "N"], 0.5],
    [["T", "F", "F", "F"], 0.25],
    [["P", "F"], 0.5],
    [["C", "I", "C", "C"], 0.75],
    [["C", "I", "P", "N"], 0.375],
    [["correct", "partially correct", "incorrect"], 0.5],
    [["CORRECT", "NOT_ATTEMPTED"], 0.5],
    [["WAHR", "FALSCH"], 0.5],
    [["✓", "✗", "✓", "✓"], 0.75],
    [["true", "1", "0"], 2 / 3],
    [["None", "nan", "0.5", "-", "{}", "[]", "N/A", ""], 0.5],
    [["0.8", "0.4"], 0.6000000000000001],
    [["85%", "15 %"], 0.5],
    [["12,5%", "87,5%"], 0.5],
    [["1,200.5", "300.5"], 750.5],
    [["1.200,5", "300,5"], 750.5],
    [["1 200,5", "300,5"], 750.5],
    [["0,125", "1,375"], 0.75],
    [["1,234,567", "1"], 617284],
    [["$0.50", "$1.50"], 1],
    [["−0.5", "0.5"], 0],
    [["1e-3", "3e-3"], 0.002],
    [["4/5", "3 / 5"], 0.7],
    [["1 out of 2", "3/4"], 0.625],
    [["1/0", "3/5"], "text"],
    // Ambiguous values stay text.
    [["1,250", "2,375"], "text"],
    [["85%", "0.5"], "text"],
    [["true", "0.5"], "text"],
    [["good", "bad", "0.5"], "text"],
    [["C", "C"], "text"],
    [["A", "B", "C"], "text"],
    [["1.2.3", "2"], "text"],
  ])("%j", async (values, expected) => {
    for (const file of scored(values)) {
      const of = await found([file]);
      // In JSON a text beside others stays text, as in a table.
      expect([file.path, of]).toEqual([file.path, { t: { score: expected } }]);
    }
  });

  test.each<[readonly string[], RegExp]>([
    [
      ["CORRECT", "INCORRECT", "CORRECT"],
      /score: CORRECT \(2\) is true, INCORRECT \(1\) is false; --as score=text/,
    ],
    [["85%", "15%"], /score: 2 numbers written as text: 85% is 0\.85; --as score=text/],
    [
      ["1,250", "2,375"],
      /the comma may set off thousands or decimals; --as score=number .* --as score=decimal-comma/,
    ],
    [["85%", "0.5"], /some values are percentages, and others are not/],
    [
      ["true", "false", "tru"],
      /2 values are true, false or numbers, and 1 is not \("tru"\); --as score=boolean/,
    ],
    [["C", "C"], /are ambiguous; choose with --as score=boolean/],
  ])("how %j was read is noted, with the option to change it", async (values, note) => {
    const { plan } = await imported([scored(values)[0]!]);
    expect(plan.notes.join("\n")).toMatch(note);
  });

  test.each<["boolean" | "number" | "decimal-comma" | "text", readonly string[], number | "text", number]>([
    ["number", ["1,250", "2,750"], 2000, 0],
    ["decimal-comma", ["1,250", "2,750"], 2, 0],
    ["boolean", ["true", "false", "tru"], 0.5, 1],
    ["text", ["yes", "no"], "text", 0],
    ["number", ["yes", "no", "maybe"], 0.5, 1],
    ["boolean", ["1", "0", "0.5"], 0.5, 1],
  ])("--as score=%s of %j", async (type, values, expected, leftOut) => {
    const { plan } = await imported([scored(values)[0]!], { types: new Map([["score", type]]) });
    const [{ scores, leftOut: left }] = plan.evaluations as [(typeof plan.evaluations)[number]];
    expect(scores[0]!.mean ?? scores[0]!.type).toBe(expected);
    expect(left.reduce((sum, { count }) => sum + count, 0)).toBe(leftOut);
  });

  const INFINITE = ["inf", "-inf", "+inf", "Inf", "Infinity", "-Infinity", "+INFINITY", "∞", "-∞", "−inf"];
  test.each([...INFINITE, "1e400", "-1e400"])("%s is left out and counted", async (infinite) => {
    for (const file of scored([infinite, "0.5", infinite, "1.5"])) {
      const { plan, lines: written } = await imported([file]);
      const [{ scores, leftOut, unscored }] = plan.evaluations as [(typeof plan.evaluations)[number]];
      expect(scores).toMatchObject([{ type: "number", trials: 2, mean: 1 }]);
      expect(leftOut).toEqual([{ what: "score without a value (score)", count: 2 }]);
      expect(unscored).toBe(2);
      expect(written.join("\n")).not.toContain(`"score":"${infinite}`);
    }
  });

  test.each(["Infinity", "-Infinity", "NaN", "1e400", "-1E+400"])(
    "so is %s in JSON, in any position",
    async (infinite) => {
      const record = (id: number, value: string) =>
        `{"id":${id},"answer":"a","score":${value},"latency_s":${value},"scores":{"f1":${value},"of":{"em":1}}}`;
      const text = [1, 2].map((id) => record(id, id === 1 ? infinite : "0.5")).join("\n");
      for (const whole of [text, `[${text.replace("\n", ",")}]`]) {
        const { plan, lines: written } = await imported([textFile("t.json", whole)]);
        const [{ scores, leftOut }] = plan.evaluations as [(typeof plan.evaluations)[number]];
        expect(scores.map(({ path, mean, trials }) => [path, mean, trials])).toEqual([
          ["of.em", 1, 2],
          ["score", 0.5, 1],
          ["f1", 0.5, 1],
        ]);
        expect(leftOut.map(({ count }) => count)).toEqual([1, 1]);
        expect(written.join()).not.toMatch(/400|Infinity/);
      }
    },
  );

  test("the name of a score decides whether 0 and 1 pass or fail, in every format", async () => {
    const sample = (doc_id: number, acc: number) => ({
      ...{ doc_id, doc: { question: `Q${doc_id}` }, target: "a", resps: [["a"]], filtered_resps: ["a"] },
      ...{ filter: "none", metrics: ["acc", "f1"], acc, f1: acc },
    });
    const { plan } = await imported([textFile("samples_t_x.jsonl", lines([sample(0, 1), sample(1, 0)]))]);
    expect(plan.evaluations[0]!.scores.map(({ path, type, mean }) => [path, type, mean])).toEqual([
      ["acc", "boolean", 0.5],
      ["f1", "number", 0.5],
    ]);
  });

  test("the recognised score is written, and used in a summary too", async () => {
    const { plan, engine } = await imported([
      scored(["85%", "15%", "nan"])[0]!,
      scored(["yes", "no"], "ok")[1]!,
    ]);
    const { summary } = await engine.query("me/demo", {
      evaluation_call_ids: plan.evaluations.map(({ id }) => id),
      include_summary: true,
    });
    const stats = summary!.evaluations.flatMap(({ scorer_stats }) => scorer_stats);
    expect(stats.map(({ numeric_mean, pass_rate }) => numeric_mean ?? pass_rate)).toEqual([0.5, 0.5]);
  });
});

describe("values that mean no error, and an answer beside an error", () => {
  test.each(["None", "nan", "NaN", "null", "False", "false", "no", "0", "", "{}", "[]", "N/A", "-", "ok"])(
    "%j in the error column means no error",
    async (error) => {
      const { plan } = await imported([
        textFile("t.csv", `id,question,answer,correct,error\n1,Q?,a,true,"${error}"\n2,R?,b,false,boom\n`),
      ]);
      expect(plan.evaluations.map(({ errors, trials }) => [errors, trials])).toEqual([[1, 2]]);
    },
  );

  test.each([[null], [false], [0], [""], [{}], [[]], [{ message: "" }], ["None"], [[null]]])(
    "%j in JSON means no error",
    async (error) => {
      const record = { id: 1, question: "Q?", answer: "a", correct: true, error };
      const { plan } = await imported([textFile("t.json", JSON.stringify([record]))]);
      expect(plan.evaluations[0]!.errors).toBe(0);
    },
  );

  test.each([[true], ["TimeoutError: slow"], [{ message: "boom" }], [["boom"]], [1], ["failed"]])(
    "%j is an error, and the answer beside it is kept",
    async (error) => {
      const record = { id: 1, question: "Q?", answer: "a", correct: true, error };
      const { plan, lines: written } = await imported([textFile("t.json", JSON.stringify([record]))]);
      expect(plan.evaluations[0]).toMatchObject({ errors: 1, unscored: 0 });
      const call = written
        .map((line) => JSON.parse(line))
        .find(({ exception }) => typeof exception === "string");
      expect(call.output).toMatchObject({ output: "a", scores: { correct: true } });
    },
  );
});

const RECORDS = [
  { id: "q0", question: "Q0?", answer: "a", correct: true, f1: 0.25 },
  { id: "q1", question: "Q1?", answer: "b", correct: false, f1: 0.75 },
];
const NAMES = Object.keys(RECORDS[0]!) as (keyof (typeof RECORDS)[number])[];
const MEANS = { correct: 0.5, f1: 0.5 };
const byColumn = (of: (values: readonly unknown[]) => unknown) =>
  Object.fromEntries(NAMES.map((name) => [name, of(RECORDS.map((record) => record[name]))]));
const csvOf = (separator: string, end = "\n") =>
  [NAMES, ...RECORDS.map((record) => Object.values(record))].map((row) => row.join(separator) + end).join("");

test.each<[string, Found]>([
  [
    `{'acc': True, 'why': None}|{'acc': False, 'why': "it's"}|{'acc': True, 'why': 'a "b"\\n'}`,
    { t: { acc: 2 / 3 } },
  ],
  ["{'f1': np.float64(0.5), 'n': nan}|{'f1': 1.0, 'n': nan}|{'f1': 0.75, 'n': (1, 2,)}", { t: { f1: 0.75 } }],
  ["{'f1': np.float64(-inf), 'n': inf}|{'f1': 1.0, 'n': -inf}|{'f1': 0.5, 'n': nan}", { t: { f1: 0.75 } }],
])("a dict in Python notation, as pandas writes it, is the object: %s", async (cells, expected) => {
  const rows = cells.split("|").map((cell, i) => `q${i},Q${i}?,a,"${cell.replaceAll('"', '""')}"`);
  const text = `${["id,question,answer,scores", ...rows].join("\n")}\n`;
  expect(await found([textFile("t.csv", text)])).toMatchObject(expected);
});

const SCORES = [
  [1, 0],
  [1, 1],
];
const RESULTS = SCORES.map((scores) =>
  scores.map((correct, i) => ({ question: `Q${i}?`, correct: correct > 0 })),
);
const byModel = (of: (i: number) => unknown) => ({ "gpt-4o": of(0), "claude-3": of(1) });
const PAIR = { "gpt-4o": { correct: 0.5 }, "claude-3": { correct: 1 } };
const PAIR_OF_MATCHES = { "gpt-4o": { exact_match: 0.5 }, "claude-3": { exact_match: 1 } };
const PAIR_OF_SCORES = { "gpt-4o": { score: 0.5 }, "claude-3": { score: 1 } };

describe("a table in any shape", () => {
  test.each<[string, unknown, Found?]>([
    ["records", RECORDS],
    ["columns", byColumn((values) => ({ ...values }))],
    ["columns of lists", byColumn((values) => values)],
    ["index", { ...RECORDS }],
    ["records by id", Object.fromEntries(RECORDS.map(({ id, ...record }) => [id, record]))],
    ["split", { columns: NAMES, index: [0, 1], data: RECORDS.map((record) => Object.values(record)) }],
    [
      "table",
      {
        schema: { fields: [{ name: "index" }], primaryKey: ["index"] },
        data: RECORDS.map((record, index) => ({ index, ...record })),
      },
    ],
    ["wrapped", { date: "today", results: RECORDS }],
    ["wrapped twice", { meta: { version: 1 }, data: { rows: RECORDS } }],
    ["wrapped in an object with the model", { model: "m", items: RECORDS }, { m: MEANS }],
    ["by model", { small: RECORDS, large: RECORDS }, { small: MEANS, large: MEANS }],
    ["lists below names", [NAMES, ...RECORDS.map((record) => Object.values(record))]],
    ["rows below a header", { header: NAMES, rows: RECORDS.map((record) => Object.values(record)) }],
    [
      "split, with ids in the index",
      {
        columns: ["correct", "f1"],
        index: ["q0", "q1"],
        data: [
          [true, 0.25],
          [false, 0.75],
        ],
      },
    ],
    ["columns with types", { columns: NAMES.map((name) => ({ name })), data: RECORDS.map(Object.values) }],
    ["scores by name and id", { correct: { q0: true, q1: false }, f1: { q0: 0.25, q1: 0.75 } }],
    ["results of each model beside totals", byModel((i) => ({ accuracy: 1, details: RESULTS[i] })), PAIR],
    ["lists of each model", byModel((i) => ({ scores: SCORES[i], mean: 9 })), PAIR_OF_SCORES],
    ["a list for each model", byModel((i) => SCORES[i]), PAIR_OF_SCORES],
    [
      "numbers of each model, which are answers",
      { y_true: [3, 2], ...byModel((i) => [3, 1 + i]) },
      PAIR_OF_MATCHES,
    ],
    [
      "predictions of each model, which are numbers",
      { expected: [3, 2], ...byModel((i) => ({ predictions: [3, 1 + i] })) },
      PAIR_OF_MATCHES,
    ],
    [
      "predictions and references without ids",
      { predictions: ["a", "b"], references: ["a", "a"] },
      { t: { exact_match: 0.5 } },
    ],
    [
      "scores by id for each model",
      byModel((i) => ({ q0: SCORES[i]![0], q1: SCORES[i]![1] })),
      PAIR_OF_SCORES,
    ],
    [
      "scores by model for each id",
      { q0: byModel((i) => SCORES[i]![0]), q1: byModel((i) => SCORES[i]![1]) },
      PAIR_OF_SCORES,
    ],
    [
      "records by test, as pytest-evals writes them",
      {
        "t.py::a[x]": { fixtures: { eval_bag: RECORDS[0] } },
        "t.py::b": { fixtures: { eval_bag: RECORDS[1] } },
      },
    ],
    [
      "lists of questions, answers and scores",
      {
        questions: ["Q?", "R?"],
        answers: { ours: ["a", "b"], x: ["c", "d"] },
        scores: { ours: [1, 0], x: [1, 1] },
      },
      { ours: { score: 0.5 }, x: { score: 1 } },
    ],
  ])("%s", async (_, document, expected = { t: MEANS }) => {
    for (const space of [0, 2])
      expect(await found([textFile("t.json", JSON.stringify(document, null, space))])).toEqual(expected);
  });

  test("totals of models are refused, and rows by place are noted", async () => {
    const totals = JSON.stringify(byModel((i) => ({ accuracy: i, f1: i })));
    expect(await found([textFile("t.json", totals)])).toMatch(/each model holds results of many rows/);
    const { plan } = await imported([textFile("t.json", JSON.stringify(byModel((i) => SCORES[i])))]);
    expect(plan.notes[0]).toContain("rows by item number");
    // These may be questions or models.
    expect(await found([textFile("t.json", '{"scores": {"x": [1, 0], "y": [1, 1]}}')])).toMatch(
      /write a list/,
    );
  });

  test.each([
    ["with the line that Excel adds", `sep=;\n${csvOf(";")}`],
    ["the same in quotes, after a byte order mark", `\ufeff"sep=;"\r\n${csvOf(";", "\r\n")}`],
    ["with bars", csvOf("|")],
    ["with tabs", csvOf("\t")],
    ["from an old Macintosh", csvOf(",", "\r")],
    ["with a header that ends differently", csvOf(",", "\r\n").replace("\r\n", "\n")],
    ["with rows that end differently", csvOf(",").replace("\n", "\r\n")],
    ["with blank lines and lines of commas", `${csvOf(",")}\n,,,,\n`],
    ["without a line end at its end", csvOf(",").trimEnd()],
    ["in quotes, followed by spaces", csvOf(",").replaceAll(/q\d/g, (id) => `"${id}" `)],
  ])("CSV %s", async (_, text) => {
    expect(await found([textFile("t.csv", text)])).toEqual({ t: MEANS });
  });

  const utf16 = (text: string, little: boolean, mark: boolean) =>
    Uint8Array.from(
      [...(mark ? "\ufeff" : ""), ...text].flatMap((one) => {
        const [low, high] = [one.charCodeAt(0) & 0xff, one.charCodeAt(0) >> 8];
        return little ? [low, high] : [high, low];
      }),
    );
  const cells = (tag: string, values: readonly unknown[]) =>
    values.map((value) => `<${tag}>${value}`).join("");
  const HTML = `<!DOCTYPE html><style>td > b {}</style><table class="a>b"><tr>${cells("th", NAMES)}${RECORDS.map(
    (record) => `<tr>${cells("td", Object.values(record))}</tr>`,
  ).join("")}</table><table><tr><td>legend</table>`;

  test("the only table of an HTML page, and tests in JUnit's XML", async () => {
    expect(await found([textFile("t.html", HTML)])).toEqual({ t: MEANS });
    expect(await found([textFile("t.html", HTML + HTML)])).toMatch(/without a table, or with several/);
    const grouped = [
      `<tr><th>id<th colspan="2">small<th colspan=2>large`,
      `<tr>${cells("th", ["", "answer", "correct", "answer", "correct"])}`,
      `<tr>${cells("td", ["q1", "a", true, "b", false])}<tr>${cells("td", ["q2", "c", true, "d", true])}`,
    ];
    expect(await found([textFile("t.html", `<table>${grouped.join("")}</table>`)])).toEqual({
      small: { correct: 1 },
      large: { correct: 0.5 },
    });
    const tests = `<?xml version="1.0"?><testsuites><testsuite><properties><property name="model" value="m"/></properties>
      <testcase classname="c" name="a &lt;1&gt;" time="0.5"><properties><property name="f1" value="0.5"/></properties></testcase>
      <testcase classname="c" name="b"><failure message="no"><![CDATA[</testcase>]]></failure></testcase>
      <testcase name="c"><error message="boom"/></testcase><testcase name="d"><skipped/></testcase></testsuite></testsuites>`;
    expect(await found([textFile("t.xml", tests)])).toEqual({ m: { passed: 0.5, f1: 0.5 } });
    const { plan, lines: written } = await imported([textFile("t.xml", tests)]);
    expect(plan.evaluations[0]).toMatchObject({ rows: 4, errors: 1 });
    expect(written.join()).toContain('"c a <1>"');
    expect(await found([textFile("t.tap", "1..2\nok 1 - a\nnot ok 2 - b\n")])).toMatch(/write JUnit's XML/);
  });

  const TEXTS = { "t.csv": csvOf(","), "t.jsonl": lines(RECORDS), "t.json": JSON.stringify(RECORDS) };

  test.each(
    Object.entries(TEXTS).flatMap(([name, text]) =>
      [true, false].flatMap((little) => [true, false].map((mark) => [name, little, mark, text] as const)),
    ),
  )("%s in UTF-16, little-endian %s, with a byte order mark %s", async (name, little, mark, text) => {
    expect(await found([bytesFile(name, utf16(text, little, mark))])).toEqual({ t: MEANS });
  });

  test.each(Object.entries(TEXTS))("%s gzipped, zipped, and zipped and gzipped", async (name, text) => {
    const bytes = new TextEncoder().encode(text);
    const zip = zipSync({
      [`runs/${name}`]: bytes,
      "__MACOSX/._t": new Uint8Array(4),
      "runs/.DS_Store": bytes,
    });
    for (const packed of [gzipSync(bytes), zip, gzipSync(zip), zipSync({ [`${name}.gz`]: gzipSync(bytes) })])
      expect(await found([bytesFile(`${name}.gz`, packed)])).toEqual({ t: MEANS });
  });
});

describe("a shifted, truncated or mixed table is refused with the line number", () => {
  const rows = (...all: readonly string[]) => `id,question,answer,score\n${all.join("\n")}\n`;
  test.each<[string, string, RegExp]>([
    ["quotes escaped by a backslash", rows('1,Q?,"a \\"b\\" c",1', "2,R?,x,0"), /^line 2: .*written twice/],
    ["the same at the end", rows('1,Q?,"he said \\"hi\\"",1', '2,R?,"x",0'), /^line 2: .*written twice/],
    [
      "the same with the delimiter",
      rows("1,Q?,x,1", '2,R?,"a\\",b",0'),
      /^line 3: .*(?:written twice|5 cells)/,
    ],
    [
      "the same at the very end of a cell",
      rows('1,Q?,"say \\"",1', '2,"R?",x,0'),
      /^line 2: .*(?:written twice|not closed)/,
    ],
    ["a quote that is not closed", rows("1,Q?,x,1", '2,R?,"y,0'), /^line 3: a quoted cell is not closed/],
    ["text after a closing quote", rows('1,Q?,"x"y,1'), /^line 2: text continues/],
    ["a row with fewer cells", rows("1,Q?,x,1", "2,R?", "3,S?,x,1"), /^line 3: 2 cells for 4 columns/],
    [
      "a row with more cells",
      rows("1,Q?,x,1", "2,R?,a, b,0"),
      /^line 3: 5 cells for 4 columns; a cell with , in it is written in double quotes/,
    ],
    ["a truncated last record", rows("1,Q?,x,1").concat("2,R?"), /^line 3: .*truncated/],
    [
      "the separator line of Markdown below a text",
      "Made on Monday:\n| id | question | answer | correct |\n|---:|:---|---|---|\n| 1 | Q? | x | 1 |\n",
      /a table in Markdown with other text: keep only the table/,
    ],
    ["a row after lines in quotes", rows('1,"Q\n?\n",x,1', "2,R?"), /^line 5: 2 cells/],
  ])("%s", async (_, text, why) => {
    expect(await found([textFile("t.csv", text)])).toMatch(why);
  });

  test.each<[string, string, RegExp]>([
    ["a truncated last line", `${lines(RECORDS)}{"id": "q2", "ques`, /^line 3: not JSON/],
    [
      "a line that describes the others",
      `${lines([{ date: "today", version: 1 }])}${lines(RECORDS)}`,
      /^record 1: no value in id, question/,
    ],
    [
      "lines of several kinds",
      lines([...RECORDS, { type: "summary", passed: 1, total: 2 }]),
      /^record 3: .*of several kinds/,
    ],
    ["lists without names", "[[1, 2], [3, 4]]\n[[1, 2]]", /unknown format/],
  ])("JSON lines with %s", async (_, text, why) => {
    expect(await found([textFile("t.jsonl", text)])).toMatch(why);
  });
});

describe("records without an evaluation beside records with one", () => {
  const head = "id,model,answer,correct";
  const both = { A: { correct: 0.5 }, B: { correct: 1 } };
  const own = ["1,A,x,1", "2,A,x,0", "1,B,x,1", "2,B,x,1"];
  const csv = (...lines: readonly string[]) => `${[head, ...lines].join("\n")}\n`;

  test.each<[string, string, string]>([
    ["a total", csv(...own, "Total,,,3"), "line 6 left out"],
    [
      "one after an answer of several lines",
      csv('1,A,"x\ny",1', "9, ,x,0", ...own.slice(1)),
      "line 4 left out",
    ],
    ["one below a comment", `# c\n${csv("9,,x,0", ...own)}`, "line 3 left out"],
    ["several", csv("9,,x,0", ...own, "8,,x,1"), "lines 2, 7 left out"],
    [
      "many",
      csv(...own, ...new Array<string>(10).fill("9,,x,0")),
      "lines 6, 7, 8, 9, 10, 11, 12, 13 and 2 more left out",
    ],
    [
      "JSON lines",
      lines(
        csv(...own, "9,,x,0")
          .trim()
          .split("\n")
          .slice(1)
          .map((line) => {
            const [id, model, answer, correct] = line.split(",");
            return { id, model, answer, correct: correct === "1" };
          }),
      ),
      "record 5 left out",
    ],
  ])("%s", async (_, text, said) => {
    const { plan } = await imported([textFile("t.csv", text)]);
    expect(await found([textFile("t.csv", text)])).toEqual(both);
    // If most records have none, cells may have been merged.
    const merged = said.includes("more") ? "; if cells were merged, repeat their value in each line" : "";
    expect(plan.notes).toContain(`t.csv: ${said}: no model, which others have${merged}`);
  });

  test("a record without a row as well is refused", async () => {
    expect(await found([textFile("t.csv", csv(...own, ",,,3"))])).toMatch(/^record 5: no value in id/);
  });

  test("if no record has one, the file is the evaluation", async () => {
    expect(await found([textFile("t.csv", csv("1,,x,1", "2,,x,0"))])).toEqual({ t: { correct: 0.5 } });
  });
});

describe("a refusal tells what was recognised and which option to use", () => {
  test.each<[string, string, RegExp, ImportOptions, Found]>([
    [
      "id,model,niceness",
      "1,m,0.5",
      /^a table with columns id, model, niceness: no column has answers or scores; add --score niceness$/,
      { scores: ["niceness"] },
      { m: { niceness: 0.5 } },
    ],
    [
      "who,what,accuracy",
      "a,x,0.5\nb,y,0.5",
      /identifies the rows; add --row-key who$/,
      { rowKey: "who" },
      { t: { accuracy: 0.5 } },
    ],
    [
      "id,question,gpt_answer,claude_answer,score",
      "1,Q?,a,b,0.5",
      /gpt_answer, claude_answer: each may be the answer; .* --output gpt_answer/,
      { output: "gpt_answer" },
      { t: { score: 0.5 } },
    ],
  ])("%s", async (columns, rows, why, options, then) => {
    const file = textFile("t.csv", `${columns}\n${rows}\n`);
    expect(await found([file])).toMatch(why);
    expect(await found([file], options)).toEqual(then);
  });

  test("an office document is recognised, and so is a broken workbook", async () => {
    const entries = (name: string) => ({
      "[Content_Types].xml": new Uint8Array(4),
      [name]: new Uint8Array(4),
    });
    const document = bytesFile("t.docx", zipSync(entries("word/document.xml")));
    expect(await found([document])).toMatch(/^a document of an office program; save its table as CSV/);
    const broken = bytesFile("t.xlsx", zipSync(entries("xl/workbook.xml")));
    expect(await found([broken])).toMatch(/^a workbook that cannot be read \(.*\); save its sheet as CSV/s);
    const bomb = Buffer.from(zipSync(entries("xl/workbook.xml")));
    // The decompressed size of the first entry in the directory.
    bomb.writeUInt32LE(2 ** 31, bomb.indexOf("PK\u0001\u0002") + 24);
    expect(await found([bytesFile("t.xlsx", bomb)])).toMatch(
      /^a workbook of more than \d+ bytes after decompression; save its sheet as CSV/,
    );
  });

  test.each([
    ["a distant column", '<row><c r="ZZZZZZ1"><v>1</v></c></row>'],
    ["a distant row", '<row r="1"><c r="C1"><v>1</v></c></row><row\nr = \'99999999\'><c><v>1</v></c></row>'],
    ["a distant cell", '<x:row><x:c t="n" r="XFD1048576"><v>1</v></x:c></x:row>'],
    ["a wide row and many rows", `<row>${"<c/>".repeat(10_000)}</row>${"<row/>".repeat(10_000)}`],
  ])("a sheet with %s is refused", async (_, rows) => {
    const files = unzipSync(workbook({ Sheet1: [["id", "correct"]] }));
    files["xl/worksheets/sheet1.xml"] = new TextEncoder().encode(
      `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    );
    expect(await found([bytesFile("t.xlsx", zipSync(files))])).toMatch(
      /^a sheet of more than 50000000 cells, with empty ones; save its sheet as CSV/,
    );
  });

  test.each([
    ["id,question,answer,severity\n1,Q?,a,low\n2,R?,b,high\n", "--score severity makes it a score"],
    ["question,expected,foo,bar\nQ?,a,a,b\nR?,c,c,d\n", "--evaluation 'foo,bar' if they are models"],
  ])("columns that may be scores or answers are named with their option: %j", async (text, way) => {
    expect(await found([textFile("t.csv", text)])).toContain(way);
    const named = way.includes("score") ? { scores: ["severity"] } : { evaluation: "foo,bar" };
    expect(await found([textFile("t.csv", text)], named)).toBeTypeOf("object");
  });

  test("an unscored answer is reported, and any table is accepted when its columns are named", async () => {
    const file = textFile("t.csv", "id,question,answer\n1,Q?,a\n");
    expect(await found([file])).toMatch(
      /rows by id, question, answers in answer, and nothing scores them; --from table/,
    );
    const odd = textFile("t.csv", "who,grp,niceness\na,x,0.5\na,y,0.25\n");
    const named = { evaluation: "grp", rowKey: "who", scores: ["niceness"] };
    expect(await found([odd], named)).toEqual({ x: { niceness: 0.5 }, y: { niceness: 0.25 } });
  });

  test("unused columns are listed, and for costs less is better", async () => {
    const { plan } = await imported([
      textFile("t.csv", "id,question,level,answer,correct,cost_usd,comment\n1,Q?,3,a,1,0.5,fine\n"),
    ]);
    expect(plan.notes[0]).toContain("kept as facts (lower is better): cost_usd; also kept: comment, level");
    expect(plan.notes[0]).toContain("--score level makes it a score");
  });
});

describe("a repeated document in lm-evaluation-harness", () => {
  const sample = (doc_id: number, exact_match: number, more: object = {}) => ({
    ...{
      doc_id,
      doc: { question: `Q${doc_id}` },
      target: "a",
      resps: [["a"]],
      filtered_resps: ["a"],
      exact_match,
    },
    ...more,
  });
  const read = async (samples: readonly object[]) => {
    const { plan } = await imported([textFile("samples_t_2024-05-01T10-00-00.jsonl", lines(samples))]);
    const [{ rows, trials, scores }] = plan.evaluations as [(typeof plan.evaluations)[number]];
    return {
      rows,
      trials,
      scores: scores.map(({ path, mean, trials: of }) => [path, mean, of]),
      notes: plan.notes,
    };
  };

  test("without a filter's name keeps all of its scores", async () => {
    const found = await read([sample(0, 0), sample(1, 1), sample(0, 1), sample(1, 1), sample(0, 0)]);
    expect(found).toMatchObject({ rows: 2, trials: 5, scores: [["exact_match", 0.6, 5]] });
    expect(found.notes[0]).toContain("3 documents are repeated");
  });

  test("with another filter adds scores to one trial", async () => {
    const under = (filter: string) => ({ filter, metrics: ["exact_match"] });
    const found = await read([sample(0, 0, under("strict")), sample(0, 1, under("flexible"))]);
    expect(found.scores).toEqual([
      ["exact_match,strict", 0, 1],
      ["exact_match,flexible", 1, 1],
    ]);
    expect([found.rows, found.trials]).toEqual([1, 1]);
  });
});

describe("variants of known layouts", () => {
  const scored = [0, 1, 2].map((i) => ({ id: i, model: "m", answer: "a", f1: i / 2, ok: i > 0 }));
  const means = { m: { f1: 0.5, ok: 2 / 3 } };

  test.each([
    ["name", "value"],
    ["metric", "score"],
    ["scorer", "value"],
  ])("a list of scores by %s and %s gives those scores", async (name, value) => {
    const records = scored.map(({ f1, ok, ...rest }) => ({
      ...rest,
      scores: [
        { [name]: "f1", [value]: f1 },
        { [name]: "ok", [value]: ok },
      ],
    }));
    expect(await found([textFile("t.jsonl", lines(records))])).toEqual(means);
  });

  test.each(["small", "gpt-4o", "org/model.v1"])(
    "a column named after a model has its answer: %s",
    async (name) => {
      const head = `id,question,expected,${name},large,${name}_correct,large_correct`;
      expect(await found([textFile("t.csv", three(head, "{i},Q{i}?,e,a,b,1|0|0,1|1|0"))])).toEqual({
        [name]: { correct: 1 / 3 },
        large: { correct: 2 / 3 },
      });
    },
  );

  test.each([",", ";", "\t"])("comment lines before a table are skipped and noted (%j)", async (mark) => {
    const text = three("id,model,answer,ok", "{i},m,a,1|1|0").replaceAll(",", mark);
    const { plan } = await imported([textFile("t.csv", `# made on Monday\n# with a tool\n${text}`)]);
    expect(plan.evaluations[0]!.scores[0]!.mean).toBe(2 / 3);
    expect(plan.notes).toContain("t.csv: 2 lines before the table skipped");
    expect(await found([textFile("t.csv", `# a\n# b\n${text}9${mark}m\n`)])).toMatch(/^line 7: 2 cells/);
    expect(await found([textFile("t.csv", text.replace("id", "#"))], { rowKey: "#" })).toEqual({
      m: { ok: 2 / 3 },
    });
  });

  test.each([
    ["t.jsonl", "{'id': 1, 'model': 'm', 'answer': 'a', 'score': True}\n", "write it with json.dumps"],
    ["t.json", '{"id":1,"model":"m","answer":"a","score":1}{"id":2x}', "jq -c . FILE"],
    ["t.csv", "1,m,a,1\n2,m,b,0\n", "put a line with the column names before it"],
  ])("an unreadable file is refused with a remedy: %s %s", async (path, text, way) => {
    expect(await found([textFile(path, text)])).toContain(way);
  });

  test("rows with equal expected answers are distinguished by the columns that divide them, whatever their names", async () => {
    const rows = (line: (i: number, expected: string) => readonly string[]) =>
      Array.from({ length: 6 }, (_, i) => line(i, i % 2 === 0 ? "yes" : "no")).flat();
    const counted = async (...lines: readonly string[]) => {
      const { plan } = await imported([textFile("t.csv", [...lines, ""].join("\n"))]);
      return plan.evaluations.map((one) => [one.rows, one.trials]);
    };
    const long = rows((i, gold) => ["m", "n"].map((model) => `Case ${i},${gold},${model},a${i % 3},1`));
    const head = "case_text,expected,model,answer,correct";
    expect(await counted(head, ...long)).toEqual([
      [6, 6],
      [6, 6],
    ]);
    expect(await counted(head, ...long, ...long)).toEqual([
      [6, 12],
      [6, 12],
    ]);
    expect(
      await counted("case_text,expected,answer,correct", ...rows((i, gold) => [`Case ${i},${gold},a,1`])),
    ).toEqual([[6, 6]]);
    expect(
      await counted(
        "case_text,expected,gpt_answer,gpt_correct,claude_answer,claude_correct",
        ...rows((i, gold) => [`Case ${i},${gold},a${i},1,b,0`]),
      ),
    ).toEqual([
      [6, 6],
      [6, 6],
    ]);
    const asked = await imported([textFile("t.csv", [head, ...long, ""].join("\n"))], { rowKey: "expected" });
    expect(asked.plan.evaluations.map((one) => one.rows)).toEqual([2, 2]);
    // Neither sentence divides the rows, but both together do.
    const pairs = rows((i, gold) => ["m", "n"].map((m) => `A ${i % 5},B ${i % 4},${gold},${m},a,1`));
    expect(await counted("first,second,expected,model,answer,correct", ...pairs)).toEqual([
      [6, 6],
      [6, 6],
    ]);
    const repeated = rows((i, gold) => ["m", "n"].map((m) => `A ${i % 3},B ${i},${gold},${m},a,1`));
    expect(await counted("premise,hypothesis,gold_label,model,prediction,correct", ...repeated)).toEqual([
      [6, 6],
      [6, 6],
    ]);
    const outcomes = Array.from(
      { length: 4 },
      (_, i) => `HumanEval/${i},return 1,${["passed", "timed out"][i % 2]},${i % 2}`,
    );
    const text = ["task_id,completion,result,passed", ...outcomes, ""].join("\n");
    const { plan } = await imported([textFile("t.csv", text)]);
    expect(plan.notes[0]).toBe(
      "t.csv: rows by task_id; answers in completion; scores in passed; also kept: result",
    );
    // A column after the answer explains it, and does not divide rows.
    expect(
      await counted("expected,answer,correct,why", ...rows((i, gold) => [`${gold},a,1,because ${i}`])),
    ).toEqual([[2, 6]]);
  });

  test.each(["ticket", "Fall", "номер", "x"])(
    "a column whose values occur once in each evaluation identifies its rows: %s",
    async (name) => {
      const head = `${name},llm,reply,tone_score`;
      const two = `${head}\n7,m,a,0\n8,m,b,1\n8,n,c,0.5\n7,n,d,0.5\n`;
      const { plan } = await imported([textFile("t.csv", two)]);
      expect(plan.notes[0]).toMatch(`t.csv: rows by ${name}; an evaluation for each llm`);
      // With a single evaluation any column may, so the user decides.
      expect(await found([textFile("t.csv", `${head}\n7,m,a,0\n8,m,b,1\n`)])).toMatch(`--row-key ${name}`);
    },
  );
});

/** A workbook with these sheets, whose cells are texts, numbers, booleans or a date with its style. */
function workbook(
  sheets: Readonly<Record<string, readonly (readonly (string | number | boolean | Date)[])[]>>,
) {
  const names = Object.keys(sheets);
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const cell = (value: string | number | boolean | Date, at: string) => {
    if (value instanceof Date)
      return `<c r="${at}" s="1"><v>${value.getTime() / 86_400_000 + 25_569}</v></c>`;
    if (typeof value !== "string")
      return `<c r="${at}"${value === Boolean(value) ? ' t="b"' : ""}><v>${Number(value)}</v></c>`;
    return value === "" ? "" : `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
  };
  const entries: Record<string, string> = {
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names
      .map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="r${i + 1}"/>`)
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${names
      .map(
        (_, i) =>
          `<Relationship Id="r${i + 1}" Type="${office}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
      )
      .join("")}</Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
  };
  for (const [i, name] of names.entries()) {
    const rows = sheets[name]!.map((row, r) => {
      const cells = row.map((value, c) => cell(value, `${String.fromCharCode(65 + c)}${r + 1}`));
      return `<row r="${r + 1}">${cells.join("")}</row>`;
    });
    entries[`xl/worksheets/sheet${i + 1}.xml`] =
      `<worksheet xmlns="${main}"><sheetData>${rows.join("")}</sheetData></worksheet>`;
  }
  return zipSync(
    Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, new TextEncoder().encode(text)])),
  );
}

describe("a file as newcomers have it", () => {
  const head = "id,question,answer,correct";
  const rows = ["q1,Q1?,a,1", "q2,Q2?,b,0", "q3,Q3?,c,1"];
  const csv = (...all: readonly string[]) => textFile("t.csv", `${all.join("\n")}\n`);

  test.each<[string, readonly string[], number]>([
    ["one line", ["Results of November"], 1],
    ["a line that a spreadsheet pads with commas", ["Results of November,,,"], 1],
    ["lines of facts", ["Model: small", "Date: 2026-11-01"], 2],
    ["a line with a comma, and an empty one", ["Results, November", ""], 2],
    ["facts in two columns that a spreadsheet pads", ["By: me,,,", "Date,2026-11-01,,", ",,,"], 3],
  ])("a title of %s is skipped and noted", async (_, title, count) => {
    const file = csv(...title, head, ...rows);
    expect(await found([file])).toEqual({ t: { correct: 2 / 3 } });
    const said = `${count === 1 ? "a line" : `${count} lines`} before the table skipped`;
    expect((await imported([file])).plan.notes).toContain(`t.csv: ${said}`);
    // Errors still count the skipped lines.
    expect(await found([csv(...title, head, ...rows, "q4")])).toMatch(`line ${count + 5}: `);
  });

  test("a workbook has any number of rows", { tags: ["long"] }, async () => {
    const answers = Array.from({ length: 130_000 }, (_, i) => [`q${i}`, i % 2 === 0]);
    const book = workbook({ Sheet1: [["id", "correct"], ...answers] });
    expect(await found([bytesFile("book.xlsx", book)])).toEqual({ book: { correct: 0.5 } });
  });

  test("a workbook is read as its sheet, without text around the table", async () => {
    const table = [
      ["", "Results of November"],
      [],
      ["", "id", "question", "answer", "correct", "score", "on"],
      ["", 1, 'say "so", &lt;two\nlines&gt;', "007", true, 0.5, new Date("2025-01-02")],
      ["", 2, "Q2?", "", false, 0.25, new Date("2025-01-02T12:00:00Z")],
    ] as const;
    const { plan, lines: all } = await imported([bytesFile("book.xlsx", workbook({ Sheet1: table }))]);
    expect(plan.refused).toEqual([]);
    expect(plan.evaluations).toMatchObject([{ name: "book", rows: 2 }]);
    expect(await found([bytesFile("book.xlsx", workbook({ Sheet1: table }))])).toEqual({
      book: { correct: 0.5, score: 0.375 },
    });
    expect(all.map((line) => JSON.parse(line).val?.question ?? "")).toContain('say "so", <two\nlines>');
    expect(all.map((line) => JSON.parse(line).output?.output ?? "")).toContain("007");
    expect(all.join()).toContain("2025-01-02T12:00:00.000Z");
    const sheets = {
      Runs: table,
      Summary: [
        ["metric", "value"],
        ["accuracy", 0.5],
        ["cost", 2],
      ],
      Empty: [],
    };
    const several = await imported([bytesFile("book.xlsx", workbook(sheets))]);
    expect(several.plan.refused).toEqual([]);
    expect(several.plan.evaluations).toMatchObject([{ name: "Runs", rows: 2 }]);
    expect(several.plan.notes.join()).toMatch(
      /book\.xlsx\/Summary: left out: a table with columns metric, value/,
    );
    const packed = bytesFile("z.zip", zipSync({ "book.xlsx": workbook(sheets) }));
    expect((await imported([packed])).plan.evaluations).toMatchObject([{ name: "Runs", rows: 2 }]);
    expect(await found([bytesFile("book.xlsx", workbook({ Summary: sheets.Summary }))])).toMatch(
      /^a table with columns/,
    );
    expect(await found([bytesFile("book.xlsx", workbook({ Empty: [] }))])).toBe("a workbook without a table");
  });

  test("a first line that names no column is data, not a title", async () => {
    expect(await found([csv(",score", "q1,0.5", "q2,1")])).toMatch(/columns column 1, score/);
    expect(
      await found([csv("question,gpt-4o,,llama-3,", ",answer,correct,answer,f1", "Q?,a,1,b,0")]),
    ).toMatch(/nothing scores them; the column names seem to be spread over several lines/);
    expect(await found([csv("id,question,answer", ...rows)])).toMatch(/^line 2: 4 cells for 3/);
  });

  test.each(["TOTAL,,,2", "mean,,,0.667", ",Average:,,66.7%", "Mean,,,0.5\nStd,,,0.4"])(
    "a last line %j with totals is not a row",
    async (last) => {
      const file = csv(head, ...rows, last);
      expect(await found([file])).toEqual({ t: { correct: 2 / 3 } });
      expect((await imported([file])).plan.notes.join()).toMatch(/lines? 5.* left out: .*sums up/);
    },
  );

  test("a last line with unlabelled totals is refused with a remedy", async () => {
    expect(await found([csv(head, ...rows, ",,,2")])).toMatch(/^record 4: .*remove a last line that sums up/);
  });

  test("a row with such a name and an answer is a row, and so is a question", async () => {
    const wide = ["question,gpt-4o,claude-3", "Capital?,1,0", "Sum?,0,1", "Planet?,1,1"];
    expect((await imported([csv(...wide)])).plan.evaluations[0]).toMatchObject({ rows: 3 });
    expect(await found([csv(head, ...rows, "total,Total?,d,1")])).toEqual({ t: { correct: 0.75 } });
  });

  const each = (columns: string, ...cells: readonly string[]) =>
    csv(
      columns,
      ...rows.map((row, i) => [row.split(",")[1], ...cells.map((cell) => cell.split("|")[i])].join()),
    );

  test.each<[string, readonly string[], Found]>([
    [
      "question,gpt-4o,claude-3",
      ["0.5|1|0", "1|1|0.25"],
      { "gpt-4o": { score: 0.5 }, "claude-3": { score: 0.75 } },
    ],
    [
      "question,gpt-4o_score,claude-3_score",
      ["1|1|1", "0|0|0"],
      { "gpt-4o": { score: 1 }, "claude-3": { score: 0 } },
    ],
    ["question,score_before,score_after", ["1|1|1", "0|0|0"], { before: { score: 1 }, after: { score: 0 } }],
    [
      "question,f1 (ours),f1 (base),correct (ours),correct (base)",
      ["0.5|0.5|0.5", "1|1|1", "1|1|1", "0|0|0"],
      { ours: { f1: 0.5, correct: 1 }, base: { f1: 1, correct: 0 } },
    ],
    [
      "question,x_score,x_latency,y_score,y_latency",
      ["1|1|1", "9|9|9", "0|0|0", "9|9|9"],
      { x: { score: 1 }, y: { score: 0 } },
    ],
    [
      "question,baseline_answer,baseline_score,candidate_answer,candidate_score",
      ["a|b|c", "1|1|1", "d|e|f", "0|0|0"],
      { baseline: { score: 1 }, candidate: { score: 0 } },
    ],
    // Several scores of one answer remain scores.
    ["question,human_score,gpt4_score", ["1|1|1", "0|0|0"], { t: { human_score: 1, gpt4_score: 0 } }],
    [
      "question,answer,gpt4_score,claude_score",
      ["a|b|c", "1|1|1", "0|0|0"],
      { t: { gpt4_score: 1, claude_score: 0 } },
    ],
    ["question,trial_1,trial_2", ["1|1|1", "0|1|0"], { t: { score: 2 / 3 } }],
    [
      "question,Modell A,Modell B,Gewinner",
      ["x|x|x", "y|y|y", "A|B|unentschieden"],
      { "Modell A": { win: 0.5 }, "Modell B": { win: 0.5 } },
    ],
  ])("%s", async (columns, cells, then) => {
    expect(await found([each(columns, ...cells)])).toEqual(then);
  });

  test("columns that may be models or scores can be either, by option", async () => {
    const file = each("question,ours,theirs", "0.5|0.5|0.5", "1|1|0.25");
    expect(await found([file])).toMatch(
      "add --score 'ours,theirs' if they are scores, or --evaluation 'ours,theirs' if they are models",
    );
    expect(await found([file], { evaluation: "ours,theirs" })).toEqual({
      ours: { score: 0.5 },
      theirs: { score: 0.75 },
    });
    expect(await found([file], { scores: ["ours", "theirs"] })).toEqual({ t: { ours: 0.5, theirs: 0.75 } });
  });

  test("several columns can name the evaluation", async () => {
    const all = ["a", "b"].flatMap((model) =>
      ["v1", "v2"].flatMap((prompt) => [1, 2].map((q) => `${q},${model},${prompt},x,${q - 1}`)),
    );
    const file = csv("question,model,prompt,answer,correct", ...all);
    const names = Object.keys(await found([file], { evaluation: "model, prompt" }));
    expect(names).toEqual(["a · v1", "a · v2", "b · v1", "b · v2"]);
  });

  test("a conversation that ends with the answer is question and answer, so rows match", async () => {
    const asked = [{ role: "system", content: "Be brief." }];
    const records = ["a", "b"].flatMap((model) =>
      [1, 2, 3].map((i) => {
        const messages = [...asked, { role: "user", content: `Q${i}?` }];
        return { model, messages: [...messages, { role: "assistant", content: `${model}${i}` }], rating: i };
      }),
    );
    const { plan, lines: all } = await imported([textFile("t.jsonl", lines(records))]);
    expect(plan.notes[0]).toMatch(/rows by messages; .*answers in messages\.answer; scores in rating$/);
    const [row, ...rows] = all.filter((line) => line.startsWith('{"digest"'));
    expect(rows).toHaveLength(2);
    expect(JSON.parse(row!).val).toHaveProperty("messages.1.content", expect.stringMatching(/^Q\d\?$/));
  });

  const questions = (of: (i: number) => object) =>
    [1, 2, 3, 4].map((i) => ({ id: `q${i}`, question: `Q${i}?`, ...of(i) }));
  test.each<[string, readonly object[], Found]>([
    [
      "an object of models",
      questions((i) => ({ results: { a: { answer: "x", score: i }, b: { answer: "y", score: 1 } } })),
      { a: { score: 2.5 }, b: { score: 1 } },
    ],
    [
      "a list with models",
      questions((i) => ({
        answer: "gold",
        responses: [
          { model: "a", score: i },
          { model: "b", score: 1 },
        ],
      })),
      { a: { score: 2.5 }, b: { score: 1 } },
    ],
    [
      "a list of samples",
      questions((i) => ({
        model: "a",
        samples: [
          { answer: "x", correct: i > 1 },
          { answer: "y", correct: false },
        ],
      })),
      { a: { correct: 3 / 8 } },
    ],
    [
      "lists of answers and scores",
      questions((i) => ({ model: "a", responses: ["x", "y"], correct: [i > 1, false] })),
      { a: { correct: 3 / 8 } },
    ],
    [
      "a list of named scores, of one answer",
      questions((i) => ({
        model: "a",
        output: "x",
        evals: [
          { type: "exact", pass: i > 1 },
          { type: "tone", pass: true },
        ],
      })),
      { a: { exact: 0.75, tone: 1 } },
    ],
  ])("several results of a question are trials: %s", async (_, records, then) => {
    for (const [name, text] of [
      ["t.jsonl", lines(records)],
      ["t.json", JSON.stringify(records)],
      ["t.json", JSON.stringify({ dataset: "d", items: records })],
    ] as const) {
      const { plan } = await imported([textFile(name, text)]);
      expect(plan.evaluations.map(({ rows }) => rows)).toEqual(Object.keys(then).map(() => 4));
      expect(await found([textFile(name, text)])).toEqual(then);
    }
  });

  test("a document's only list has its records, whatever their fields are called", async () => {
    const results = [
      { test: "t1", "gpt-4o": "pass", llama: "fail" },
      { test: "t2", "gpt-4o": "pass", llama: "pass" },
    ];
    expect(await found([textFile("t.json", JSON.stringify({ run: 7, data: { results } }))])).toEqual({
      "gpt-4o": { score: 1 },
      llama: { score: 0.5 },
    });
  });

  test("a question in two columns, one of which some records lack, uses both", async () => {
    const of = (input: (i: number) => string) =>
      [1, 2, 3, 4].map((i) => ({ instruction: `Do ${i}`, input: input(i), output: "x", score: i }));
    for (const [input, by] of [
      [(i: number) => (i % 2 === 0 ? "this" : ""), "input, instruction"],
      [() => "", "instruction"],
      [(i: number) => `this ${i}`, "input"],
    ] as const) {
      const { plan } = await imported([textFile("t.jsonl", lines(of(input)))]);
      expect(plan.notes[0]).toContain(`rows by ${by}; answers in output`);
      expect(plan.evaluations[0]!.rows).toBe(4);
    }
  });

  test("a judge's label beside its score is not the expected answer, so rows match", async () => {
    const judged = (name: string, label: string, score: number) =>
      textFile(
        `${name}.csv`,
        `example_id,input,output,reference_output,eval.x.label,eval.x.score\n1,Q?,a,b,${label},${score}\n`,
      );
    const { plan } = await imported([judged("a", "correct", 1), judged("b", "incorrect", 0)]);
    expect(plan.closest({ project: "me/demo" })).toBeDefined();
  });

  test("the inputs and outputs of evaluators are the answer and its scores", async () => {
    const file = textFile(
      "t.jsonl",
      lines([
        {
          "inputs.query": "Q?",
          "inputs.response": "a",
          "inputs.ground_truth": "b",
          "outputs.f1_score.f1_score": 0.5,
        },
      ]),
    );
    const { plan } = await imported([file, file]);
    expect(plan.notes[0]).toContain(
      "rows by inputs.query, inputs.ground_truth; answers in inputs.response; scores in outputs.f1_score.f1_score",
    );
  });

  test("each model in a list has its records", async () => {
    const of = (name: string, correct: boolean) => ({ name, results: [{ id: "q1", answer: "a", correct }] });
    const models = [of("m", true), of("n", false)];
    const named = models.map(({ name, results }) => ({ model: name, accuracy: 9, predictions: results }));
    for (const document of [{ date: "today", models }, models, named])
      expect(await found([textFile("t.json", JSON.stringify(document))])).toEqual({
        m: { correct: 1 },
        n: { correct: 0 },
      });
  });

  test.each(["item", "datapoint"])("a dataset row inside a record is found: %s", async (name) => {
    const record = (input: string, correct: boolean) => ({
      output: "Lima",
      correct,
      [name]: { input, expectedOutput: "Lima", metadata: { level: 1 } },
    });
    const text = [record("Q?", true), record("R?", false)].map((one) => `${JSON.stringify(one)}\n`).join("");
    const { plan } = await imported([textFile("t.jsonl", text)]);
    expect(plan.evaluations.map(({ rows, trials }) => [rows, trials])).toEqual([[2, 2]]);
    expect(plan.notes[0]).toContain(`rows by ${name}.input, ${name}.expectedOutput`);
  });

  test("the mean of all records is not used as a score of each", async () => {
    const document = { model: "m", accuracy: 0.5, results: [{ question: "Q?", answer: "a", correct: true }] };
    expect(await found([textFile("t.json", JSON.stringify(document))])).toEqual({ m: { correct: 1 } });
  });

  test.each([
    "- id: q1\n  question: Q, or not?\n  answer: a\n  score: 0.5\n",
    "results:\n- question: Q?\n  answer: a\n  score: 0.5\n",
    "---\n- Question ID: q1\n  answer: a\n  score: 0.5\n",
    "gpt-4o:\n- question: Q?\n  score: 0.5\n- question: R?\n  score: 0.5\n",
  ])("records in YAML", async (text) => {
    expect(await found([textFile("t.yaml", text)])).toEqual({ t: { score: 0.5 } });
  });

  test("grades and labels are texts, with the rule that compares them", async () => {
    const graded = csv("id,question,answer,grade", "1,Q?,a,C", "2,R?,b,B", "3,S?,c,F");
    expect((await imported([graded])).plan.notes).toContain(
      `t.csv: grade: text ("B"), which has no mean to compare; --pass 'grade==B' compares how often it is "B"`,
    );
  });

  test.each([
    ["latency", "646 ms", 0.646],
    ["latency_ms", "646", 0.646],
    ["duration", "1.5s", 1.5],
    ["duration", "1m 3s", 63],
    ["elapsed", "0 days 00:00:01.25", 1.25],
    ["time", "01:00:02", 3602],
  ])("a %s of %s is %d seconds", async (name, cell, seconds) => {
    const { lines: calls } = await imported([csv(`id,question,answer,correct,${name}`, `1,Q?,a,1,${cell}`)]);
    expect(calls.join()).toContain(`"model_latency":${seconds}`);
  });

  test("a number that names or describes something is not a score", async () => {
    const file = csv("id,question,answer,name,kind,user_id,niceness", "1,Q?,a,7,2,9,0.5");
    expect(await found([file])).toEqual({ t: { niceness: 0.5 } });
  });

  test("a file name is not used as a model", async () => {
    const { plan } = await imported([csv(head, ...rows)]);
    expect(plan.evaluations.map(({ name, model }) => [name, model])).toEqual([["t", undefined]]);
  });

  test("equal notes on many files become one, which names the first files", async () => {
    const of = (i: number) => textFile(`f${i}.csv`, `id,question,answer,correct\nq${i},Q${i}?,a,true\n`);
    const { plan } = await imported(Array.from({ length: 1200 }, (_, i) => of(i)));
    expect(plan.notes).toEqual([
      "f0.csv, f1.csv and 1,198 more: rows by id, question; answers in answer; scores in correct",
      "no row in common with the others: f0; f1; f2; f3; f4; f5; and 1,194 more; id and question identify them together; if one of them is the same in all, it matches them, such as --row-key question",
    ]);
  });

  test("for files that share no id, a note names the field that may match their rows", async () => {
    const of = (name: string) =>
      textFile(`${name}.csv`, `id,input,output,score\n${name}1,Q?,a,0.5\n${name}2,R?,b,1\n`);
    const { plan } = await imported([of("a"), of("b")]);
    expect(plan.notes).toContain(
      "no row in common with the others: a; b; id and input identify them together; if one of them is the same in all, it matches them, such as --row-key input",
    );
    const byId = await imported([of("a"), of("b")], { rowKey: "id" });
    expect(byId.plan.notes).toContain(
      "no row in common with the others: a; b; they have no value of id in common; if another field is the same in all, --row-key FIELD matches them",
    );
    const again = await imported([of("a"), of("b")], { rowKey: "input" });
    expect(again.plan.closest({ project: "me/demo" })).toBeDefined();
  });

  test.each(["\n", "\r\n"])("repeated column names are refused with their line (%j)", async (end) => {
    const text = [head, rows[0], '"q,2","Q\n2?",b,0', head, ...rows.slice(1)].join(end);
    expect(await found([textFile("t.csv", text)])).toMatch(/^line 5: the column names again/);
  });

  test("scores and rows with similar names are reported", async () => {
    const other = textFile("u.csv", "ID,Question,Answer,Accuracy\nq1,Q1?,a,1\n");
    expect((await imported([csv(head, ...rows), other])).plan.notes).toEqual(
      expect.arrayContaining([
        "no row in common with the others: t; u; rows are identified by id, question in t, but by ID, Question in u: give these columns the same names",
        "no score in common: t has correct; u has Accuracy; scores are compared by name, so give the same ones the same name",
      ]),
    );
  });

  test("scores on different scales are reported", async () => {
    const of = (name: string, score: string) =>
      textFile(`${name}.csv`, `id,question,answer,score\n1,Q?,a,${score}\n`);
    expect((await imported([of("a", "0.85"), of("b", "85")])).plan.notes).toContain(
      "score: its mean is 0.85 in a and 85 in b; bring both to one scale if they are not on one",
    );
    expect((await imported([of("a", "0.85"), of("b", "2")])).plan.notes.join()).not.toContain("scale");
  });

  test.each<[string, string | Uint8Array, string]>([
    ["bzip2", "BZh91AY&SY", "compressed with bzip2; unpack it first"],
    ["a pickle", new Uint8Array([0x80, 4, 0x95]), "a Python pickle"],
    ["a list of lists", "[[1, 2], [3, 4]]", 'pandas orient="records"'],
    ["comments", '// mine\n[{"id": 1x}]', "begins with a comment"],
    ["an empty list", "[]", "JSON without records"],
    ["names of columns alone", `${head}\n`, "a table without records"],
    [
      "a winner that is neither of two answers",
      "id,question,response_a,response_b,winner\n1,Q?,a,b,A\n2,Q?,a,b,me\n",
      "write the names of their columns there, or tie",
    ],
    ["columns set apart by spaces", "id  answer  score\n1   a       0.5\n", "save it as CSV"],
    ["a text below the table", `${head}\n${rows.join("\n")}\n\nNotes:\n- mine\n`, "in another file"],
    ["merged cells", `${head}\nq1,Q?,a,1\n,,,0\nq2,R?,a,1\n`, "if cells were merged"],
    ["a log", "INFO start\nQ1: correct\nAccuracy: 50%\n", "unknown format"],
    ["totals below a name", '{"humaneval": {"pass@1": 0.5}, "config": {"seed": 1}}', "only totals (pass@1)"],
    ["a list with fewer cells", '[["id", "score"], ["a", 1], ["b"]]', "list 3 has 1 cells, where 2 columns"],
    ["a notebook", '{"cells": [{"source": "x"}], "nbformat": 4}', "write its table"],
    ["one column", "score\n1\n0\n", "add a column with an id for each row"],
    [
      "a record for each model",
      "Model,ARC,MMLU\na,0.5,0.25\nb,0.75,0.5\n",
      "pass the file with the result of each row",
    ],
    [
      "a record for each model, all of one vendor",
      "Rank,Model,Overall Acc,Vendor\n1,a,0.5,lab\n2,b,0.25,lab\n",
      "pass the file with the result of each row",
    ],
    ["Weave calls", "id,op_name,status,inputs.model\n1,p,success,m\n2,p,error,m\n", "as JSON lines"],
    [
      "names in two lines",
      ",,small,,large,\nid,question,score,correct,score,f1\n1,Q?,1,1,0,0\n",
      "put them in one",
    ],
    ["other names", '{"a": {"x": 1}, "b": {"x": 2}}', "it has a, x, b, and none is an answer or a score"],
  ])("%s is refused with a remedy", async (_, content, why) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    expect(await found([bytesFile("t", bytes)])).toContain(why);
  });
});
