// Filters as texts of the expression language, such as `inputs.kind = "rate" and not scores.correct`.

import { cutText } from "@assay/eval-engine/words";
import { pointAt, printExpression, printQuery, readExpression, readQuery } from "@assay/query-lang";
import { printFieldPath } from "@assay/query-lang/internal";

/** Fields of trials, as the server names them. */
const FIELD = /^(?:(?:scores|inputs|outputs?)\.|(?:inputs|outputs|row_digest)$)/;

/** A filter's query, or what is wrong with its text: a message, the line, and a caret below the place. */
export type ReadFilter =
  | { readonly query: { readonly $expr: unknown } }
  | { readonly message: string; readonly place: string };

/** The query that `text` expresses. `fieldOf` returns the field that a name in it means, which may be unknown. */
export function filterOfText(text: string, fieldOf: (name: string) => string): ReadFilter {
  const read = readExpression(text, {
    field: (path) => {
      const name = printFieldPath(path);
      return FIELD.test(fieldOf(name))
        ? undefined
        : `there is no field ${cutText(name)}; a text is in quotes: ${JSON.stringify(cutText(name))}`;
    },
  });
  if (!read.ok) {
    const { message, path } = read.issues[0]!;
    return { message, place: pointAt(text, Number(path[0])).join("\n") };
  }
  const { $expr } = printQuery(read.value) as { readonly $expr: unknown };
  return { query: { $expr: withFields($expr, fieldOf) } };
}

/** The text of a query; undefined if it is invalid. */
export function textOfFilter(query: unknown): string | undefined {
  const read = readQuery(query, { at: [], field: () => undefined });
  return read.ok ? printExpression(read.value) : undefined;
}

function withFields(expr: unknown, fieldOf: (name: string) => string): unknown {
  if (Array.isArray(expr)) return expr.map((one) => withFields(one, fieldOf));
  if (typeof expr !== "object" || expr === null || "$literal" in expr) return expr;
  return Object.fromEntries(
    Object.entries(expr).map(([key, value]) => [
      key,
      key === "$getField" && typeof value === "string" ? fieldOf(value) : withFields(value, fieldOf),
    ]),
  );
}
