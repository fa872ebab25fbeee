// Errors of the fine-tuning routes in the format of OpenAI's clients: status 400 where other routes use 422.

import type { Issue } from "@assay/base";
import { refusal, refuseIssues } from "../training/response/responses.ts";

const STATUS: Readonly<Record<string, number>> = {
  too_large: 413,
  file_not_found: 404,
  model_not_found: 404,
  job_not_found: 404,
  idempotency_key: 409,
  ended: 409,
};

/** The issues of a request, as a sentence; the first invalid field is the `param`. */
export function refuse(issues: readonly Issue[]): Response {
  const [first] = issues;
  if (first === undefined) return refuseIssues(issues);
  const detail = issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ");
  const param = first.path.join(".") || undefined;
  return refusal({ status: STATUS[first.code] ?? 400, detail }, { code: first.code, param });
}

/** The key has no access to the project that a request names or would use. */
export function wrongProject(): Response {
  const detail =
    'this key is not for that project: name one that it is for with the project option, as in OpenAI(project="team/demo")';
  return refusal({ status: 401, detail }, { code: "invalid_project" });
}

/** Nothing with this ID exists, or the key may not see it. */
export function absent(what: string, id: string): Response {
  const detail = `there is no ${what} ${JSON.stringify(id.slice(0, 64))}`;
  return refusal({ status: 404, detail }, { code: `${what.replace(" ", "_")}_not_found`, param: "id" });
}
