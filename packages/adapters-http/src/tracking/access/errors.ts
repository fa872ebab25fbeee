// Errors in the format of W&B's clients, which show only `errors[].message`.

import { WWW_AUTHENTICATE } from "../../auth/www-authenticate.ts";
import { type Problem, sentenceOf } from "../../response/problem.ts";

/** A problem in the format of W&B clients. */
export function refusal(problem: Problem): Response {
  const { status, detail, headers } = problem;
  return Response.json(
    { detail, errors: [{ message: sentenceOf(problem) }] },
    { status, ...(headers && { headers }) },
  );
}

/** The refusal of a request without valid credentials. */
export const INVALID_KEY: Problem = {
  status: 401,
  detail: "invalid API key: send it as Basic with user api, or as Bearer",
  headers: { "WWW-Authenticate": WWW_AUTHENTICATE },
};
