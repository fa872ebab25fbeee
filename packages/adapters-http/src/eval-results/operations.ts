// The operations of area A, described by the schemas that validate their requests.

import type { Json } from "@assay/base";
import type { StatisticsQuestion, ViewQuestion } from "@assay/eval-engine/internal";
import { requestSchema, statisticsSchema, viewSchema } from "@assay/eval-engine/requests";
import { querySchemas } from "@assay/query-lang";
import type { Operation, Operations, Parameter } from "../routing/operation.ts";
import { detailAnswers, INVALID, jsonContent, PROJECT_PARAMETERS } from "../routing/operation-parts.ts";
import { STATISTICS_QUESTIONS, VIEW_QUESTIONS } from "./questions.ts";
import { RESPONSE_SCHEMAS } from "./response-schema.ts";
import { STATISTICS_SCHEMAS } from "./statistics-schema.ts";
import { VIEW_EXAMPLES, VIEW_SCHEMAS } from "./view-schema.ts";

const STATISTICS: {
  readonly [Question in StatisticsQuestion]: { readonly name: string; readonly summary: string };
} = {
  compare: {
    name: "Compare",
    summary:
      "Compare candidates with a baseline on the rows of a query: intervals, p-values and a verdict for each measure.",
  },
  slices: {
    name: "Slices",
    summary: "Find where a candidate is better or worse than the baseline, by the fields of the rows.",
  },
  ranking: {
    name: "Ranking",
    summary: "Rank evaluations, with the range of places that each may have.",
  },
};

const VIEWS: {
  readonly [Question in ViewQuestion]: { readonly name: string; readonly summary: string };
} = {
  page: {
    name: "Page",
    summary: "Show a page of rows with previews of their outputs, ordered or filtered by how they changed.",
  },
  groups: {
    name: "Groups",
    summary: "Group rows by the values of a field, a score or a difference; each group has its filter.",
  },
  fields: { name: "Fields", summary: "List the fields that you can filter, sort and group by." },
};

const PREFER: Parameter = {
  name: "Prefer",
  in: "header",
  description:
    "`notes` adds a member `notes` to the answer: a list of names in the question that match nothing, each with `about`, `name`, `nearest` and `message`.",
  schema: { type: "string" },
};

/** An operation with the body `EvalResults<name>Body` and the answer `EvalResults<name>Res`. */
function questionOperation(
  question: string,
  { name, summary }: { readonly name: string; readonly summary: string },
  others: { readonly [status: string]: Json } = {},
): readonly [id: string, operation: Operation] {
  return [
    `evalResults${name}`,
    {
      method: "POST",
      path: `/v2/{entity}/{project}/eval_results/${question}`,
      summary,
      parameters: [...PROJECT_PARAMETERS, PREFER],
      body: { required: true, content: jsonContent(`EvalResults${name}Body`) },
      answers: {
        "200": { description: "The answer.", content: jsonContent(`EvalResults${name}Res`) },
        ...INVALID,
        ...detailAnswers([400, 401, 404, 413, 415, 429, 500, 503, 504]),
        ...others,
      },
      verbs: ["read"],
    },
  ];
}

/** The ID of the operation for a question of statistics or of the page. */
export function operationOf(question: StatisticsQuestion | ViewQuestion): string {
  return `evalResults${{ ...STATISTICS, ...VIEWS }[question].name}`;
}

/** The evaluation results query, and the questions of statistics and of the page about it. */
export const OPERATIONS: Operations = Object.fromEntries([
  questionOperation("query", {
    name: "Query",
    summary: "Query rows of one or more evaluations, side by side, and a summary of each score.",
  }),
  ...STATISTICS_QUESTIONS.map((question) =>
    questionOperation(question, STATISTICS[question], detailAnswers([501])),
  ),
  ...VIEW_QUESTIONS.map((question) => questionOperation(question, VIEWS[question], detailAnswers([501]))),
]);

/** The schemas that they refer to. */
export function evalResultsSchemas(): { readonly [name: string]: Json } {
  return {
    ...querySchemas(),
    ...RESPONSE_SCHEMAS,
    ...STATISTICS_SCHEMAS,
    EvalResultsQueryBody: requestSchema({ $ref: "#/components/schemas/Query" }) as Json,
    ...Object.fromEntries(
      STATISTICS_QUESTIONS.map((question) => [
        `EvalResults${STATISTICS[question].name}Body`,
        statisticsSchema(question, { $ref: "#/components/schemas/EvalResultsQueryBody" }) as Json,
      ]),
    ),
    ...VIEW_SCHEMAS,
    ...Object.fromEntries(
      VIEW_QUESTIONS.map((question) => {
        const body = viewSchema(question, { $ref: "#/components/schemas/EvalResultsQueryBody" });
        return [
          `EvalResults${VIEWS[question].name}Body`,
          { ...body, examples: VIEW_EXAMPLES[question] } as Json,
        ];
      }),
    ),
  };
}
