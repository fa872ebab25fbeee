// The condition on the command line that rows must meet.

import { EXIT, Failure } from "../failure.ts";

/** The expression in `text`: JSON of the query language, as it stands in a filter's `$expr`. */
export function whereExpression(text: string): unknown {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new Failure(EXIT.usage, `--where takes JSON of the query language, as in ${EXAMPLE}`, {
      cause: error,
    });
  }
  return typeof given === "object" && given !== null && "$expr" in given ? given.$expr : given;
}

const EXAMPLE = '{"$eq": [{"$getField": "inputs.category"}, {"$literal": "law"}]}';
