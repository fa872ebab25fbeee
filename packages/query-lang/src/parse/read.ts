// Reads unknown data into a typed expression, and locates every issue. Recursion occurs only for operands and literals,
// and `enter` stops it at `LIMITS.depth`.

import { bad, type Issue, ok, type Result } from "@assay/base";
import type { Expr, FieldPath } from "../expression/expr.ts";
import { type Budget, LIMITS, newBudget } from "../expression/limits.ts";
import { described, listed } from "./message-text.ts";
import { entriesOf, fields, type OperandReader, type OperandType } from "./operand-types.ts";
import { CONDITIONS, type Operator, VALUES } from "./operators.ts";
import { deeper, inside, pathTo, type ReadPosition, start } from "./read-position.ts";

/** How to read a query. */
export interface ReadOptions {
  /** The path of the query in the request, with which every issue's path begins. */
  readonly at: readonly (string | number)[];
  /** Why the field at `path` (written as `text`) is not allowed; undefined if it is. */
  readonly field: (path: FieldPath, text: string) => string | undefined;
  /** The remaining allowance, shared by all queries of a request. Default: a separate budget. */
  readonly budget?: Budget;
}

/** The operators allowed in one position, and how to list them. */
interface Choice {
  readonly byKey: ReadonlyMap<string, Operator>;
  readonly keys: string;
}

function choice(operators: readonly Operator[]): Choice {
  return {
    byKey: new Map(operators.map((one) => [one.key, one])),
    keys: listed(operators.map(({ key }) => key)),
  };
}

const IN_EXPR = choice(CONDITIONS);
const IN_OPERAND = choice([...VALUES, ...CONDITIONS]);

/** The shape of the value of `$expr`. */
const condition: OperandType<Expr> = {
  read: (raw, at, reader) => readOperation(raw, deeper(at), 1, IN_EXPR, reader),
  schema: { anyOf: CONDITIONS.map(({ title }) => ({ $ref: `#/components/schemas/${title}` })) },
};

/** The shape of a whole query. */
export const queryShape: OperandType<{ readonly $expr: Expr }> = fields<{ $expr: Expr }>({
  $expr: condition,
});

/**
 * The expression of `query`, `{ "$expr": <operation> }`, or all of its issues, up to `LIMITS.issues`. An issue's code
 * is a `QueryIssueCode`. Its path leads to the fault, and ends with the key if that key is missing or not allowed. In
 * paths, keys are cut after 100 characters.
 */
export function readQuery(query: unknown, { at, field, budget = newBudget() }: ReadOptions): Result<Expr> {
  const issues: Issue[] = [];
  let spent = false;
  const reader: OperandReader = {
    fault: (code, where, message) => {
      if (issues.length < LIMITS.issues) issues.push({ code, path: pathTo(where), message });
    },
    enter: (where, nodes) => {
      if (where.depth > LIMITS.depth) {
        reader.fault("value_error", where, `a query may nest at most ${LIMITS.depth} levels deep`);
        return false;
      }
      budget.nodes = Math.max(budget.nodes - nodes, -1);
      if (budget.nodes >= 0) return true;
      // Reported once: everything after it exceeds the limit too.
      if (!spent) reader.fault("value_error", where, `a request may have at most ${LIMITS.nodes} operations`);
      spent = true;
      return false;
    },
    operand: (raw, where, nodes) => readOperation(raw, where, nodes, IN_OPERAND, reader),
    field,
  };
  const read = queryShape.read(query, start(at), reader);
  return read !== undefined && issues.length === 0 ? ok(read.$expr) : bad(issues);
}

function readOperation(
  raw: unknown,
  at: ReadPosition,
  nodes: number,
  { byKey, keys }: Choice,
  reader: OperandReader,
): Expr | undefined {
  if (!reader.enter(at, nodes)) return undefined;
  const entries = entriesOf(raw);
  if (entries === undefined) {
    return reader.fault("dict_type", at, `expected an object with ${keys}, not ${described(raw)}`);
  }
  if (entries.length === 0) return reader.fault("missing", at, `expected ${keys}`);
  const [key, argument] = entries.find(([one]) => byKey.has(one)) ?? [];
  for (const [other] of entries) {
    if (other === key) continue;
    const why =
      key === undefined
        ? `expected ${keys}`
        : `an operation must have exactly one operator, but this one also has ${key}`;
    reader.fault("extra_forbidden", inside(at, other), why);
  }
  const expr = key === undefined ? undefined : byKey.get(key)!.read(argument, inside(at, key), reader);
  return entries.length === 1 ? expr : undefined;
}
