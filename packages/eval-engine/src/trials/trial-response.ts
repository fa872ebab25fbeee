import { modelOutputOf, scoresOf, withLoggedOutput } from "@assay/calls/internal";
import type { EvalQuery } from "../query/request.ts";
import type { EvalResultsTrial } from "../query/response.ts";
import type { Trial } from "./trials.ts";

/** The response of a trial. */
export function trialResponse(query: EvalQuery, trial: Trial): EvalResultsTrial {
  const facts = query.children ? trial.facts : trial.ownFacts;
  return withLoggedOutput(trial.output, {
    predict_and_score_call_id: trial.id,
    predict_call_id: facts.predictCallId,
    model_output: modelOutputOf(trial.output),
    scores: scoresOf(trial.output),
    model_latency_seconds: facts.latency,
    total_tokens: facts.tokens,
    scorer_call_ids: facts.scorerCallIds,
    genai_span_ref: facts.spans,
  });
}
