// Parses a GraphQL document, limits its size, and checks that its fields are served, before it is executed.

import { shownName } from "@assay/base/internal";
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  visit,
} from "graphql";
import { checkSelections } from "./check-selections.ts";
import type { GraphqlRequest } from "./graphql-request.ts";
import { notServed } from "./not-served.ts";
import { SCHEMA } from "./schema.ts";

const LONGEST_DOCUMENT = 100_000;
const MOST_TOKENS = 5000;
const MOST_FIELDS = 2000;
const MOST_ROOT_FIELDS = 20;
const DEEPEST = 24;
/** The most nested brackets: the parser recurses as deep. */
const MOST_OPEN = 64;

/** A document that may be executed, with the operation to execute. */
export interface ReadDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/**
 * Reads the document of a request. Throws a `GraphQLError` if it is not GraphQL, is too large, or asks for something
 * that is not served, which it names.
 */
export function readDocument({ query: text, variables, operationName }: GraphqlRequest): ReadDocument {
  if (text.length > LONGEST_DOCUMENT)
    throw new GraphQLError(`a GraphQL document may have at most ${LONGEST_DOCUMENT} characters`);
  mustBeShallow(text);
  const parsed = parse(text, { noLocation: true, maxTokens: MOST_TOKENS });
  const operations = parsed.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  // Python clients send "" without a name.
  const wanted = operationName ? operations.filter((one) => one.name?.value === operationName) : operations;
  const [operation] = wanted;
  if (operation === undefined || wanted.length > 1)
    throw new GraphQLError("operationName must name the one operation of the document to execute");
  const fragments = new Map(
    parsed.definitions
      .filter((one) => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((one) => [one.name.value, one] as const),
  );
  const measure = sizes(fragments);
  measure(operation.selectionSet);
  mustBeServed(operation, fragments, measure);
  checkSelections(operation, fragments, variables);
  return { document: withoutTypes(parsed), operation };
}

function mustBeShallow(text: string): void {
  let open = 0;
  for (const character of text) {
    if ("{[(".includes(character)) open++;
    else if ("}])".includes(character)) open--;
    if (open > MOST_OPEN)
      throw new GraphQLError(`a GraphQL document may have at most ${MOST_OPEN} nested brackets`);
  }
}

/** How many fields a selection has, and how deep. */
type Measure = (set: SelectionSetNode) => { readonly fields: number; readonly depth: number };

/** Counts fields with every fragment expanded, which is the cost of execution. Throws if they are too many. */
function sizes(fragments: ReadonlyMap<string, FragmentDefinitionNode>): Measure {
  const known = new Map<string, { readonly fields: number; readonly depth: number }>();
  const open = new Set<string>();
  const measure: Measure = (set) => {
    let fields = 0;
    let depth = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) fields++;
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(selection.name.value)
          : inside(selection.selectionSet);
      fields += inner.fields;
      depth = Math.max(depth, inner.depth + (selection.kind === Kind.FIELD ? 1 : 0));
      if (fields > MOST_FIELDS || depth > DEEPEST) {
        throw new GraphQLError(
          `a GraphQL document may have at most ${MOST_FIELDS} fields, ${DEEPEST} levels deep, with its fragments expanded`,
        );
      }
    }
    return { fields, depth };
  };
  const inside = (set: SelectionSetNode | undefined) =>
    set === undefined ? { fields: 0, depth: 0 } : measure(set);
  const ofFragment = (name: string) => {
    const there = known.get(name);
    if (there !== undefined) return there;
    if (open.has(name)) throw new GraphQLError(`the fragment ${shownName(name)} contains itself`);
    open.add(name);
    const size = inside(fragments.get(name)?.selectionSet);
    open.delete(name);
    known.set(name, size);
    return size;
  };
  return measure;
}

/** The most levels below a type: the arguments of its fields. More would list types of types of types. */
const DEEPEST_OF_TYPE = 3;

/** A client that requests an unknown root field should learn its name, not just miss it in the answer. */
function mustBeServed(
  { operation, name, selectionSet }: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  measure: Measure,
): void {
  const type = operation === "mutation" ? SCHEMA.getMutationType()! : SCHEMA.getQueryType()!;
  if (operation === "subscription") throw new GraphQLError("subscriptions are not served here");
  const served = type.getFields();
  const fields = rootFields(selectionSet, fragments);
  if (fields.length > MOST_ROOT_FIELDS)
    throw new GraphQLError(`a GraphQL operation may have at most ${MOST_ROOT_FIELDS} fields at its root`);
  // Older clients query the available fields first.
  for (const { name: root, selectionSet: set } of fields)
    if (root.value === "__type" && set !== undefined && measure(set).depth > DEEPEST_OF_TYPE)
      throw new GraphQLError(`a type may be asked for at most ${DEEPEST_OF_TYPE} levels deep`);
  const missing = fields
    .map((field) => field.name.value)
    .find((one) => !Object.hasOwn(served, one) && !["__typename", "__type"].includes(one));
  if (missing === undefined) return;
  throw notServed(`${operation} ${shownName(missing)}`, name?.value);
}

function rootFields(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const set =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : fragments.get(selection.name.value)?.selectionSet;
    return set === undefined ? [] : rootFields(set, fragments);
  });
}

/** Variables may have any type: clients use many and add new ones, and each value is checked anyway. */
function withoutTypes(document: DocumentNode): DocumentNode {
  const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: "JSON" } } as const;
  return visit(document, { VariableDefinition: (node) => ({ ...node, type }) });
}
