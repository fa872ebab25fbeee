// The roles of table columns by their names, the same for all tables. A guess, so it is always reported; users
// can name columns instead. A page of the documentation is generated from it.

/** The roles of columns. */
export type Role =
  | "id"
  | "input"
  | "expected"
  | "output"
  | "model"
  | "trial"
  | "score"
  | "latency"
  | "tokens"
  | "error"
  | "fact"
  | "note";

/** Complete names, in lower case and without accents, spaces, `_` and `-`; earlier names in a list take precedence. */
export const ROLE_NAMES: Readonly<Record<Role, readonly string[]>> = {
  id: [
    ...["id", "qid", "questionid", "exampleid", "sampleid", "docid", "rowid", "instanceid", "taskid", "key"],
    ...["rowdigest", "itemid", "caseid", "testid", "testcaseid", "promptid", "problemid", "recordid", "uid"],
    ...["entryid", "datasetitemid", "inputid", "queryid", "uuid", "guid", "questionno", "questionnumber"],
    ...["frageid", "nr", "nummer", "kennung", "identifiant", "numero", "identificador", "编号", "序号"],
  ],
  input: [
    ...["input", "inputs", "question", "prompt", "query", "userinput", "instruction", "problem", "row"],
    ...["instructions", "usermessage", "userprompt", "userquery", "questiontext", "inputtext", "task"],
    ...["request", "message", "frage", "eingabe", "aufgabe", "anfrage", "entree", "consigne", "requete"],
    ...["pregunta", "entrada", "consulta", "pergunta", "domanda", "vraag", "fraga", "sporsmal", "pytanie"],
    ...["вопрос", "запрос", "问题", "問題", "输入", "提问", "質問", "入力", "질문", "입력"],
  ],
  expected: [
    ...["expected", "expectedoutput", "target", "gold", "reference", "groundtruth", "answerkey", "ideal"],
    ...["golden", "truth", "ytrue", "oracle", "canonicalsolution", "erwartet", "erwarteteantwort", "soll"],
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
    ...["ausgabe", "modellantwort", "vorhersage", "sortie", "salida", "prediccion", "saida", "uscita"],
    ...["uitvoer", "模型输出", "模型回答", "输出", "预测", "出力", "出力結果", "출력"],
    ...["answer", "antwort", "reponse", "respuesta", "resposta", "risposta", "antwoord", "svar", "odpowiedz"],
    ...["ответ", "答案", "回答", "답변", "solution", "actual", "result"],
  ],
  model: [
    ...["model", "modelname", "modelid", "llm", "llmname", "modelnameorpath", "modelversion", "modell"],
    ...["modele", "modelo", "modello", "модель", "模型", "モデル", "모델", "evaluation", "generator"],
    ...["system", "run", "runname", "experiment", "experimentname", "variant", "promptversion"],
    ...["promptname", "configuration", "config", "provider", "evaluationcallid"],
  ],
  trial: [
    ...["trial", "trialindex", "trialid", "trialnumber", "epoch", "repeat", "repetition", "rep", "attempt"],
    ...["sampleidx", "sampleindex", "seed", "runindex", "runnumber", "iteration", "wiederholung", "versuch"],
    ...["durchlauf", "essai", "repeticion", "intento", "tentativa"],
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
    ...["resolved", "solved", "hit", "bewertung", "punkte", "punktzahl", "richtig", "korrekt"],
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
  latency: [
    ...["latency", "latencyms", "latencys", "latencyseconds", "duration", "durationms", "executiontime"],
    ...["seconds", "modellatencyseconds", "time", "elapsed", "runtime", "responsetime", "dauer", "latenz"],
    ...["duree", "duracion", "latencia", "durata", "latenza", "耗时", "延迟"],
  ],
  tokens: ["totaltokens", "tokens", "tokencount", "numtokens", "tokensused"],
  error: [
    ...["error", "exception", "errormessage", "errors", "errormsg", "errortext", "failurereason", "fehler"],
    ...["fehlermeldung", "erreur", "errore", "erro", "fout", "ошибка", "错误", "エラー", "오류"],
  ],
  fact: [
    ...["cost", "price", "costusd", "kosten", "preis", "cout", "prix", "coste", "precio", "custo", "费用"],
    ...["index", "row", "timestamp", "date", "datetime", "createdat", "year", "datum", "temperature", "topp"],
    ...["maxtokens", "step", "length", "numturns", "turns", "retries", "size", "weight", "threshold"],
  ],
  note: [
    ...["explanation", "rationale", "reason", "reasoning", "justification", "comment", "comments", "notes"],
    ...["feedback", "critique", "begrundung", "kommentar", "explication", "commentaire", "comentario"],
  ],
};

type Part =
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
  | "judges"
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
    ...["ideal", "true", "right", "desired", "oracle", "canonical", "key", "human", "erwartete", "richtige"],
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
    ],
  ],
  /** Models in a role other than answering. */
  judges: ["judge", "grader", "evaluator", "scorer", "embedding", "annotator", "critic", "reward"],
  /** What an id may belong to other than a row. */
  notRows: [
    ...["run", "trace", "session", "span", "request", "response", "completion", "user", "thread", "job"],
    ...["experiment", "project", "conversation", "call", "annotator", "group", "batch", "commit", "worker"],
  ],
};

/** Prefixes and suffixes of score names. */
export const SCORE_PREFIXES: readonly string[] = ["feedback.", "scores.", "score.", "metrics."];
export const SCORE_SUFFIXES: readonly string[] = ["/value", "/score"];
/** Prefixes that determine a column's role. */
const PREFIXES: Readonly<Record<string, Role>> = {
  inputs: "input",
  input: "input",
  outputs: "output",
  output: "output",
  expected: "expected",
  reference: "expected",
  target: "expected",
};
const NOTE_SUFFIXES = /[/._](?:rationale|explanation|justification|reason|reasoning|error_message|comment)$/i;
/** Ranks after the listed names: composed names, and those with an unknown part. */
const [COMPOSED, FORM, UNKNOWN_PART] = [100, 150, 200];

const PARTS: ReadonlyMap<Part, ReadonlySet<string>> = new Map(
  (Object.keys(NAME_PARTS) as Part[]).map((part) => [part, new Set<string>(NAME_PARTS[part])]),
);
const NAMES: ReadonlyMap<string, FoundRole> = new Map(
  (Object.entries(ROLE_NAMES) as [Role, readonly string[]][])
    .flatMap(([role, names]) => names.map((name, rank) => [name, { role, rank }] as const))
    // The first entry wins if a name is listed twice.
    .reverse(),
);

/** A role, and how well a name matches it: 0 is best. */
export interface FoundRole {
  readonly role: Role;
  readonly rank: number;
}

const found = new Map<string, FoundRole | undefined>();

/** A column's role by its name. Undefined if the name has no known meaning. */
export function roleOf(column: string): FoundRole | undefined {
  if (found.has(column)) return found.get(column);
  // There are few column names, and they are looked up for each record.
  if (found.size > 10_000) found.clear();
  const role = roleByName(column);
  found.set(column, role);
  return role;
}

function roleByName(column: string): FoundRole | undefined {
  if (NOTE_SUFFIXES.test(column)) return { role: "note", rank: 0 };
  if (isScoreName(column)) return { role: "score", rank: 0 };
  const parts = partsOf(column);
  const whole = NAMES.get(parts.join(""));
  if (whole !== undefined) return whole;
  const dot = column.lastIndexOf(".");
  if (dot !== -1) {
    const inner = roleByName(column.slice(dot + 1));
    const outer = partsOf(column.slice(0, column.indexOf("."))).join("");
    // `model.name`, `usage.total_tokens`, `outputs.answer`, `inputs.question`.
    if (NAMES.get(outer)?.role === "model" && /^(?:name|id|model)$/i.test(column.slice(dot + 1)))
      return { role: "model", rank: NAMES.get(outer)!.rank };
    const role = Object.hasOwn(PREFIXES, outer) ? PREFIXES[outer] : undefined;
    return role === undefined ? inner : { role, rank: COMPOSED };
  }
  return roleByParts(parts);
}

function roleByParts(parts: readonly string[]): FoundRole | undefined {
  if (parts.length < 2) {
    const isScore = parts.some((one) => isPart(one, "measures") || isPart(one, "verdicts"));
    return isScore ? { role: "score", rank: COMPOSED } : undefined;
  }
  const has = (part: Part) => parts.some((one) => isPart(one, part));
  const last = parts.at(-1)!;
  if (last === "id" || last === "uuid" || last === "ids") {
    if (has("notRows") || last === "ids") return undefined;
    return parts.includes("model") ? { role: "model", rank: COMPOSED } : { role: "id", rank: COMPOSED };
  }
  if (last === "model" || last === "llm")
    return has("judges") ? undefined : { role: "model", rank: COMPOSED };
  const answer = parts.filter((one) => isPart(one, "answers"));
  if (isPart(last, "costs")) return costRole(parts);
  if (has("costs") && has("settings")) return { role: "fact", rank: COMPOSED };
  if (saysVerdict(parts)) return { role: "score", rank: 2 };
  if (isPart(last, "measures")) return { role: "score", rank: COMPOSED };
  if (isPart(last, "settings")) return { role: "fact", rank: COMPOSED };
  if (answer.length > 0 || isPart(last, "choices")) return answerRole(parts, answer);
  if (parts.every((one) => isPart(one, "expected"))) return { role: "expected", rank: COMPOSED };
  if (isPart(last, "inputs") && !parts.includes("system")) return { role: "input", rank: COMPOSED };
  if (isPart(parts[0]!, "inputs") && isPart(last, "form")) return { role: "input", rank: COMPOSED };
  // `generated_sql`, `expected_sql`: the remainder names what was asked for.
  if (/^(?:actual|predicted|generated|pred)$/.test(parts[0]!)) return { role: "output", rank: FORM };
  if (/^(?:expected|gold|golden|reference|target|ideal)$/.test(parts[0]!))
    return { role: "expected", rank: FORM };
  return undefined;
}

function costRole(parts: readonly string[]): FoundRole {
  const isTime =
    /^(?:latency|duration|time|elapsed|runtime|seconds?|secs?|ms|millis|milliseconds|dauer|latenz)$/.test(
      parts.at(-1)!,
    ) && !parts.some((one) => /^(?:tokens?|start|end|started|ended|created|updated|first)$/.test(one));
  return { role: isTime ? "latency" : "fact", rank: COMPOSED };
}

function answerRole(parts: readonly string[], answers: readonly string[]): FoundRole | undefined {
  const others = parts.filter((one) => !answers.includes(one) && !isPart(one, "choices"));
  if (others.some((one) => isPart(one, "expected"))) return { role: "expected", rank: COMPOSED };
  if (others.some((one) => isPart(one, "output"))) return { role: "output", rank: COMPOSED };
  if (others.every((one) => isPart(one, "form"))) return { role: "output", rank: FORM };
  // Further words after it describe the answer: `answer_style`, `response_language`.
  return isPart(parts.at(-1)!, "answers") || isPart(parts[0]!, "answers")
    ? { role: "output", rank: UNKNOWN_PART }
    : undefined;
}

/** Whether part of an answer's name is unknown, and may name a model. */
export function isUnknownAnswer({ role, rank }: FoundRole): boolean {
  return role === "output" && rank === UNKNOWN_PART;
}

/** Whether a name only says that something was run: `run`, `system`, `provider`; `model` is more specific. */
export function isWeakModel({ role, rank }: FoundRole): boolean {
  return role === "model" && rank >= ROLE_NAMES.model.indexOf("evaluation");
}

/** Whether a name can also stand for the expected answer if another column is the answer: `answer`, `solution`. */
export function isSpareAnswer({ role, rank }: FoundRole): boolean {
  return role === "output" && rank >= ROLE_NAMES.output.indexOf("answer") && rank < COMPOSED;
}

/** The name of the score in this column. */
export function scoreName(column: string): string {
  const prefix = SCORE_PREFIXES.find((one) => column.startsWith(one)) ?? "";
  const suffix = SCORE_SUFFIXES.find((one) => column.endsWith(one)) ?? "";
  return column.slice(prefix.length, column.length - suffix.length) || column;
}

/** Whether a score's name implies true or false: `correct`, `passed`, `is_polite`, `acc,none`. */
export function isVerdict(score: string): boolean {
  // The part after the comma is how the answer was extracted.
  const parts = partsOf(score.split(",")[0]!);
  return (parts.length > 1 && /^(?:is|was|has|ist|est|es)$/.test(parts[0]!)) || saysVerdict(parts);
}

const HOW = /^(?:\d+|at|norm|strict|loose|flexible|extract|flag|all|any|bytes|k)$/;

function saysVerdict(parts: readonly string[]): boolean {
  if (parts.some((one) => isPart(one, "costs") || isPart(one, "settings") || one === "rate")) return false;
  if (/^is(?:correct|match|right|valid|passed)$/.test(parts.join(""))) return true;
  const meaning = parts.findLast((one) => !HOW.test(one));
  // `correct_answer` is expected, and `answer_correct` a verdict.
  return meaning !== undefined && isPart(meaning, "verdicts");
}

/** Whether a part of a name describes a column, and so is not a model's name: `expected`, `model`, `ground_truth`. */
export function isRoleWord(name: string): boolean {
  const parts = partsOf(name);
  return (
    NAMES.has(parts.join("")) ||
    Object.hasOwn(PREFIXES, parts.join("")) ||
    parts.every((one) => NAMES.has(one) || [...PARTS.values()].some((words) => words.has(one)))
  );
}

/** Whether a column's time is in milliseconds: decided by its name, never by its size. */
export function isMilliseconds(column: string): boolean {
  return /(?:ms|millis|milliseconds)\)?$/i.test(column);
}

/** Whether less is better for what a column measures. */
export function isCost(column: string): boolean {
  return partsOf(column).some((one) => isPart(one, "costs"));
}

function isPart(word: string, part: Part): boolean {
  return PARTS.get(part)!.has(word);
}

function isScoreName(column: string): boolean {
  return (
    SCORE_PREFIXES.some((prefix) => column.startsWith(prefix)) ||
    SCORE_SUFFIXES.some((suffix) => column.endsWith(suffix))
  );
}

/**
 * The words of a name: `isCorrect`, `is_correct` and `Is Correct?` have the same two. Units in parentheses are removed.
 */
function partsOf(name: string): readonly string[] {
  return name
    .replace(/\([^)]*\)/g, " ")
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "");
}
