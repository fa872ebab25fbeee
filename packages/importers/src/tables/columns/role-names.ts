// The names that columns of tables have, by role, in the languages of their tools. A page of the documentation is
// generated from it.

/** The roles of columns. */
export type Role =
  | "id"
  | "input"
  | "expected"
  | "output"
  | "model"
  | "trial"
  | "score"
  | "metric"
  | "latency"
  | "tokens"
  | "error"
  | "fact"
  | "note";

/** Complete names, in lower case and without accents, spaces, `_` and `-`; earlier names in a list take precedence. */
export const ROLE_NAMES: Readonly<Record<Role, readonly string[]>> = {
  id: [
    ...[
      "customid",
      "datasetitemid",
      "id",
      "qid",
      "questionid",
      "exampleid",
      "sampleid",
      "docid",
      "rowid",
      "instanceid",
      "taskid",
      "key",
    ],
    ...["rowdigest", "itemid", "caseid", "testid", "testcaseid", "promptid", "problemid", "recordid", "uid"],
    ...["entryid", "inputid", "queryid", "uuid", "guid", "questionno"],
    ...["questionnumber", "testname", "testcase", "casename", "test", "item", "case"],
    ...["frageid", "nr", "nummer", "kennung", "identifiant", "numero", "identificador", "编号", "序号"],
  ],
  input: [
    ...["input", "inputs", "question", "prompt", "query", "userinput", "instruction", "problem", "row"],
    ...["instructions", "usermessage", "userprompt", "userquery", "questiontext", "inputtext", "task"],
    ...[
      "request",
      "message",
      "messages",
      "conversation",
      "frage",
      "eingabe",
      "aufgabe",
      "anfrage",
      "entree",
      "consigne",
      "requete",
    ],
    ...["pregunta", "entrada", "consulta", "pergunta", "domanda", "vraag", "fraga", "sporsmal", "pytanie"],
    ...["вопрос", "запрос", "问题", "問題", "输入", "提问", "質問", "入力", "질문", "입력", "q"],
  ],
  expected: [
    ...[
      "expected",
      "expectedoutput",
      "target",
      "gold",
      "reference",
      "groundtruth",
      "answerkey",
      "ideal",
      "gt",
    ],
    ...[
      "golden",
      "truth",
      "ytrue",
      "oracle",
      "canonicalsolution",
      "ref",
      "erwartet",
      "erwarteteantwort",
      "soll",
    ],
    ...["referenz", "musterlosung", "richtigeantwort", "korrekteantwort", "attendu", "attendue"],
    ...["reponseattendue", "bonnereponse", "esperado", "esperada", "respuestaesperada", "respuestacorrecta"],
    ...["respostaesperada", "respostacorreta", "atteso", "rispostaattesa", "rispostacorretta", "verwacht"],
    ...[
      "verwachtantwoord",
      "ожидаемый",
      "эталон",
      "标准答案",
      "正确答案",
      "参考答案",
      "期待",
      "正解",
      "정답",
    ],
    "label",
  ],
  output: [
    ...[
      "output",
      "outputs",
      "response",
      "prediction",
      "completion",
      "generated",
      "actualoutput",
      "modeloutput",
    ],
    ...["generation", "predicted", "pred", "ypred", "reply", "modelanswer", "modelresponse", "hypothesis"],
    ...["predictions", "responses", "completions", "generations", "hyp", "mt"],
    ...["ausgabe", "modellantwort", "vorhersage", "sortie", "salida", "prediccion", "saida", "uscita"],
    ...["uitvoer", "模型输出", "模型回答", "输出", "预测", "出力", "出力結果", "출력"],
    ...["answer", "antwort", "reponse", "respuesta", "resposta", "risposta", "antwoord", "svar", "odpowiedz"],
    ...["ответ", "答案", "回答", "답변", "solution", "actual", "result"],
  ],
  model: [
    ...[
      "model",
      "modelname",
      "modelid",
      "llm",
      "llmname",
      "modelnameorpath",
      "modelversion",
      "modelidentifier",
      "checkpoint",
      "ckpt",
    ],
    ...[
      "modell",
      "modele",
      "modelo",
      "modello",
      "модель",
      "模型",
      "モデル",
      "모델",
      "evaluation",
      "generator",
    ],
    ...["system", "run", "runname", "experiment", "experimentname", "variant", "promptversion"],
    ...["promptname", "configuration", "config", "provider", "evaluationcallid", "agent", "agentname"],
  ],
  trial: [
    ...["trial", "trialindex", "trialid", "trialnumber", "epoch", "repeat", "repetition", "rep", "attempt"],
    ...["repetitionnumber", "repetitionindex"],
    ...["sampleidx", "sampleindex", "seed", "runindex", "runnumber", "iteration", "wiederholung", "versuch"],
    ...["durchlauf", "turn", "essai", "repeticion", "intento", "tentativa"],
  ],
  score: [
    ...["score", "scores", "correct", "accuracy", "passed", "pass", "success", "ismatch", "f1", "exactmatch"],
    ...[
      "rating",
      "grade",
      "verdict",
      "judgement",
      "judgment",
      "correctness",
      "quality",
      "acc",
      "em",
      "match",
    ],
    ...[
      "resolved",
      "solved",
      "hit",
      "reward",
      "followallinstructions",
      "bewertung",
      "punkte",
      "punktzahl",
      "richtig",
      "korrekt",
    ],
    ...["bestanden", "qualitat", "genauigkeit", "treffer", "juste", "correcte", "exactitude", "qualite"],
    ...["reussi", "puntuacion", "puntaje", "correcto", "correcta", "acierto", "calidad", "aprobado"],
    ...[
      "pontuacao",
      "nota",
      "correto",
      "correta",
      "qualidade",
      "punteggio",
      "corretto",
      "corretta",
      "qualita",
    ],
    ...["voto", "juist", "kwaliteit", "cijfer", "ratt", "betyg", "ocena", "оценка", "балл", "верно"],
    ...[
      "правильно",
      "得分",
      "分数",
      "评分",
      "正确",
      "是否正确",
      "准确率",
      "スコア",
      "正誤",
      "점수",
      "정확도",
    ],
  ],
  metric: [
    ...["metric", "metricname", "scorer", "scorername", "scorename", "measure", "measurename", "evaluator"],
    ...["evaluatorname", "evaluationmetric", "evalmetric", "criterion", "criterionname", "criteria"],
    ...["dimension", "aspect", "metrik", "kriterium", "metrique", "critere", "metrica", "criterio", "指标"],
  ],
  latency: [
    ...["latency", "latencyms", "latencys", "latencyseconds", "duration", "durationms", "executiontime"],
    ...[
      "seconds",
      "modellatencyseconds",
      "time",
      "elapsed",
      "runtime",
      "responsetime",
      "timetaken",
      "timespent",
      "dauer",
      "latenz",
    ],
    ...[
      "temps",
      "tiempo",
      "tempo",
      "tijd",
      "duree",
      "duracion",
      "latencia",
      "durata",
      "latenza",
      "耗时",
      "延迟",
    ],
  ],
  tokens: ["totaltokens", "tokens", "tokencount", "numtokens", "tokensused"],
  error: [
    ...["error", "exception", "errormessage", "errors", "errormsg", "errortext", "failurereason", "fehler"],
    ...["fehlermeldung", "erreur", "errore", "erro", "fout", "ошибка", "错误", "エラー", "오류"],
  ],
  fact: [
    ...["cost", "price", "costusd", "kosten", "preis", "cout", "prix", "coste", "precio", "custo", "费用"],
    ...[
      "index",
      "row",
      "timestamp",
      "date",
      "datetime",
      "createdat",
      "year",
      "datum",
      "temperature",
      "topp",
      "topk",
    ],
    ...["maxtokens", "step", "length", "numturns", "turns", "retries", "size", "weight", "threshold"],
  ],
  note: [
    ...["explanation", "rationale", "reason", "reasoning", "justification", "comment", "comments", "notes"],
    ...["feedback", "critique", "begrundung", "kommentar", "explication", "commentaire", "comentario"],
  ],
};

/** Further names of the score in a table with a record for each metric. */
export const VALUE_NAMES: readonly string[] = [
  ...["value", "metricvalue", "scorevalue", "result", "wert", "valeur", "valor", "valore"],
];

/** Names of columns that hold all scores, as an object or a list. */
export const SCORE_LISTS: readonly string[] = [
  ...["score", "scores", "metrics", "evals", "evaluations", "evaluationresults", "gradings", "assertions"],
  ...["scoreresults", "feedbackscores"],
];

/** Groups of parts of names. */
export type Part =
  | "expected"
  | "output"
  | "form"
  | "answers"
  | "choices"
  | "inputs"
  | "measures"
  | "verdicts"
  | "costs"
  | "settings"
  | "counted"
  | "judges"
  | "descriptions"
  | "rows"
  | "notRows";

/** Parts of names with a known meaning. A name that has only such parts is not a model's. */
export const NAME_PARTS: Readonly<Record<Part, readonly string[]>> = {
  /** Before or after `answer`, `output` and the like: the expected answer. */
  expected: [
    ...[
      "expected",
      "gold",
      "golden",
      "reference",
      "ref",
      "correct",
      "target",
      "truth",
      "ground",
      "groundtruth",
    ],
    ...[
      "gt",
      "ideal",
      "true",
      "right",
      "desired",
      "oracle",
      "canonical",
      "key",
      "human",
      "erwartete",
      "richtige",
    ],
    ...["attendue", "correcta", "esperada", "correcte"],
  ],
  /** Before or after `answer` and the like: a model's answer. */
  output: [
    ...[
      "actual",
      "predicted",
      "pred",
      "prediction",
      "generated",
      "model",
      "llm",
      "assistant",
      "bot",
      "system",
    ],
    ...["agent", "candidate", "ai", "output", "outputs"],
  ],
  /** Before or after `answer` and the like: a model's answer in another form. */
  form: [
    ...["raw", "full", "parsed", "extracted", "clean", "cleaned", "processed", "normalized", "original"],
    ...["formatted", "text", "final", "the", "first", "last", "value", "string", "content", "json"],
  ],
  /** Words for an answer. */
  answers: [
    ...["answer", "answers", "output", "outputs", "response", "responses", "prediction", "completion"],
    ...[
      "generation",
      "reply",
      "solution",
      "antwort",
      "reponse",
      "respuesta",
      "resposta",
      "risposta",
      "result",
    ],
  ],
  /** Words for an answer that is one of several choices. */
  choices: ["label", "class", "choice", "option", "letter"],
  /** Words for a question. */
  inputs: ["input", "inputs", "question", "prompt", "query", "instruction", "frage", "pregunta", "problem"],
  /** A number; may be the last word of a score's name. */
  measures: [
    ...[
      "score",
      "scores",
      "rating",
      "grade",
      "accuracy",
      "correctness",
      "quality",
      "similarity",
      "relevance",
    ],
    ...[
      "relevancy",
      "faithfulness",
      "precision",
      "recall",
      "f1",
      "bleu",
      "rouge",
      "meteor",
      "chrf",
      "bertscore",
    ],
    ...["verdict", "judgement", "judgment", "fluency", "coherence", "helpfulness", "groundedness"],
    ...["ndcg", "mrr", "comet", "bleurt", "wer", "cer", "cider", "spice"],
  ],
  /** A score that is true or false. */
  verdicts: [
    ...[
      "correct",
      "passed",
      "pass",
      "passes",
      "success",
      "successful",
      "match",
      "matches",
      "matched",
      "resolved",
    ],
    ...["solved", "hit", "acc", "accuracy", "em", "mc1", "richtig", "korrekt", "bestanden", "correcto"],
    ...["correcta", "correto", "correta", "corretto", "juste", "reussi", "accepted", "incorrect", "failed"],
  ],
  /** Measured about an answer, but not its quality: less is better. */
  costs: [
    ...[
      "cost",
      "costs",
      "price",
      "usd",
      "eur",
      "cents",
      "kosten",
      "preis",
      "cout",
      "coste",
      "token",
      "tokens",
    ],
    ...["latency", "duration", "seconds", "sec", "secs", "ms", "millis", "milliseconds", "time", "runtime"],
    ...["hours", "hrs", "minutes", "mins", "days", "memory", "mem", "mb", "gb"],
    ...["elapsed", "ttft", "dauer", "latenz", "bytes", "chars", "characters", "words", "length"],
  ],
  /** Settings of a run. */
  settings: [
    ...["temperature", "seed", "timestamp", "date", "datetime", "index", "idx", "count", "num", "number"],
    ...[
      "created",
      "updated",
      "started",
      "ended",
      "start",
      "end",
      "at",
      "year",
      "version",
      "size",
      "turns",
      "retries",
      "steps",
      "ts",
    ],
  ],
  /** Done or used for an answer: their number is not its quality. */
  counted: [
    ...["calls", "requests", "attempts", "retry", "retries", "iterations", "rounds", "hops", "turns"],
    ...["steps", "messages", "queries", "searches", "actions", "tools", "documents", "docs", "chunks"],
    ...["passages", "contexts", "sentences", "paragraphs", "lines", "images", "files", "samples", "shots"],
    ...["edits", "assertions", "tests"],
  ],
  /** Models in a role other than answering. */
  judges: ["judge", "grader", "evaluator", "scorer", "embedding", "annotator", "critic", "reward"],
  /** Last words of names whose numbers describe or identify something instead of measuring it. */
  descriptions: [
    ...["name", "kind", "type", "category", "group", "cluster", "class", "level", "difficulty", "section"],
    ...[
      "page",
      "chapter",
      "line",
      "fold",
      "split",
      "subset",
      "part",
      "topic",
      "round",
      "user",
      "id",
      "no",
      "nr",
    ],
    ...["version", "release", "revision", "port", "worker", "budget", "limit", "n", "std", "stdev", "stderr"],
    ...["confidence", "speaker", "rater", "annotator", "batch", "gpu", "host", "device", "step", "iteration"],
  ],
  /** Words for rows, which may be numbered. */
  rows: ["question", "problem", "example", "item", "task", "case", "test", "doc", "row", "instance", "entry"],
  /** Words for things other than rows that an id may belong to. */
  notRows: [
    ...["run", "trace", "session", "span", "request", "response", "completion", "user", "thread", "job"],
    ...["experiment", "project", "conversation", "call", "annotator", "group", "batch", "commit", "worker"],
  ],
};

/** Prefixes and suffixes of score names. */
export const SCORE_PREFIXES: readonly string[] = [
  ...["feedback.", "feedback_scores.", "scores.", "score.", "metrics.", "eval."],
];
export const SCORE_SUFFIXES: readonly string[] = ["/value", "/score"];
/** Prefixes that determine a column's role. */
export const ROLE_PREFIXES: Readonly<Record<string, Role>> = {
  inputs: "input",
  input: "input",
  outputs: "output",
  output: "output",
  expected: "expected",
  reference: "expected",
  target: "expected",
};
/** Suffixes of names of explanations. */
export const NOTE_SUFFIXES: RegExp =
  /[/._ (](?:rationale|explanation|justification|reason|reasoning|error_message|comment)\)?$/i;

/** Names of the last lines of a table that summarise the rows before them. */
export const SUMMARY_NAMES: readonly string[] = [
  ...["total", "totals", "grandtotal", "sum", "mean", "average", "avg", "overall", "summary", "median"],
  ...["std", "stdev", "stddev", "min", "max", "count", "gesamt", "summe", "mittelwert", "durchschnitt"],
  ...[
    "moyenne",
    "somme",
    "promedio",
    "suma",
    "media",
    "totale",
    "итого",
    "среднее",
    "合计",
    "平均",
    "合計",
    "평균",
    "합계",
  ],
];

/** Families of models: the names of models begin with one, or with a provider and a slash. */
export const MODEL_FAMILIES: readonly string[] = [
  ...[
    "gpt",
    "chatgpt",
    "claude",
    "llama",
    "gemini",
    "gemma",
    "mistral",
    "mixtral",
    "qwen",
    "deepseek",
    "grok",
  ],
  ...["phi", "olmo", "command", "kimi", "glm"],
];

/** Names of runs that are compared; also `model_a`, `run 2`, `v3`. */
export const RUN_NAMES: readonly string[] = [
  ...["baseline", "candidate", "control", "treatment", "before", "after", "old", "new", "base", "tuned"],
  ...["finetuned", "fine-tuned", "ours"],
];
