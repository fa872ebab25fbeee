// Reads the body of a request by its schema. Paths of issues begin with `body`.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { readAs, type Schema, shownName } from "@assay/base/internal";

/** The body `given` as `schema` defines it, or its issues. */
export function readBody<T>(schema: Schema<T>, given: unknown): Result<T> {
  return readAs(schema, given, { at: ["body"] });
}

/**
 * The only allowed member of an object at `at`: a record, or a list that is read record by record. Undefined if it is
 * missing.
 */
export function readOnly(given: unknown, name: string, at: Issue["path"]): Result<unknown> {
  return readClosed<{ readonly [name: string]: unknown }, unknown>(given, [name], at, (members) =>
    ok(members[name]),
  );
}

/** The list in a body whose only member is `batch`. */
export function readList(given: unknown): Result<readonly unknown[]> {
  const batch = readOnly(given, "batch", ["body"]);
  if (!batch.ok || Array.isArray(batch.value)) return batch as Result<readonly unknown[]>;
  return bad([{ code: "list_type", path: ["body", "batch"], message: "must be a list" }]);
}

/** The result of `read` for an object at `at` that has only the members `names`. */
export function readClosed<Members, T = Members>(
  given: unknown,
  names: readonly (keyof Members & string)[],
  at: Issue["path"],
  read: (members: Partial<Members>) => Result<T>,
): Result<T> {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return bad([{ code: "dict_type", path: at, message: "must be a JSON object" }]);
  const others = Object.keys(given).filter((name) => !names.includes(name as (typeof names)[number]));
  if (others.length === 0) return read(given as Partial<Members>);
  const message = "is not a property of this object";
  return bad(
    others.slice(0, 100).map((name) => {
      const shown = shownName(name);
      return { code: "extra_forbidden", path: [...at, shown], message: `${shown} ${message}` };
    }),
  );
}

/** Schemas by name, as their own JSON Schemas. */
export type Described<Name extends string> = { readonly [name in Name]: { toJsonSchema(): object } };
