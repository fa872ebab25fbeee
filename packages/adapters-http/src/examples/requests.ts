// What is asked in the examples of the OpenAPI document, by operation. A test sends each to a server.

import type { Json } from "@assay/base";

const evaluations = { evaluation_call_ids: ["small", "large"] };
const measure = "scores.match.correct";
const query = { ...evaluations, limit: 2 };

/** Bodies by `operationId`. */
export const EXAMPLE_BODIES: { readonly [operationId: string]: Json } = {
  evalResultsQuery: {
    ...{ ...evaluations, include_summary: true, limit: 1 },
    filters: [{ query: { $expr: { $eq: [{ $getField: measure }, { $literal: false }] } } }],
    sort_by: [{ field: measure, direction: "desc", mode: "difference" }],
  },
  evalResultsCompare: { query, baseline: "small", measures: [measure], anytime: false },
  evalResultsSlices: {
    ...{ query, baseline: "small", candidate: "large", measure, fields: ["inputs.question"], min_rows: 1 },
  },
  evalResultsRanking: { query, measure },
  evalResultsPage: { query, measures: [measure] },
  evalResultsGroups: { query, by: { field: "inputs.question" }, measures: [measure] },
  evalResultsFields: evaluations,
  create_key: { name: "team", scopes: ["*"] },
  create_model: { entity: "acme", project: "demo", name: "sums", base_model: "assay/tiny" },
  create_chat_completion: {
    ...{ model: "assay/tiny", max_tokens: 8 },
    messages: [{ role: "user", content: "What is 2 + 2?" }],
  },
  create_response: { model: "assay/tiny", input: "What is 2 + 2?", max_output_tokens: 16 },
  weaveCallStart: {
    start: {
      ...{ project_id: "acme/demo", id: "call-1", trace_id: "call-1", op_name: "answer" },
      ...{ started_at: "2026-01-01T00:00:00Z", attributes: {}, inputs: { question: "2 + 2?" } },
    },
  },
  weaveCallEnd: {
    end: {
      ...{ project_id: "acme/demo", id: "call-1", ended_at: "2026-01-01T00:00:01Z" },
      ...{ output: "4", summary: {} },
    },
  },
  weaveCallRead: { project_id: "acme/demo", id: "call-1" },
};
