// Refuses arguments and fields that resolvers would ignore, by name: the answer would otherwise be that of a different
// question.

import { shownName } from "@assay/base/internal";
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from "graphql";
import { asksNothing } from "../resolvers/arguments.ts";
import { notServed } from "./not-served.ts";
import { SCHEMA } from "./schema.ts";

type Variables = { readonly [name: string]: unknown };

/**
 * Throws a `GraphQLError` for an argument that its field does not have, and for an unknown field with arguments, such
 * as a list. Unknown fields without arguments are null, so that newer clients work. Fragments must not contain
 * themselves.
 */
export function checkSelections(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  given: Variables,
): void {
  const variables = { ...defaultsOf(operation), ...given };
  const walk = (set: SelectionSetNode, type: GraphQLNamedType | undefined): void => {
    for (const selection of set.selections) if (isIncluded(selection, variables)) visit(selection, type);
  };
  const visit = (selection: SelectionNode, type: GraphQLNamedType | undefined): void => {
    if (selection.kind === Kind.FIELD) {
      const known = fieldOf(type, selection.name.value);
      if (type !== undefined) checkField(selection, type, known, variables, operation);
      if (known !== undefined && selection.selectionSet !== undefined)
        walk(selection.selectionSet, getNamedType(known.type));
      return;
    }
    const fragment =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    const on = fragment?.typeCondition?.name.value;
    if (fragment !== undefined) walk(fragment.selectionSet, on === undefined ? type : SCHEMA.getType(on));
  };
  walk(operation.selectionSet, SCHEMA.getRootType(operation.operation) ?? undefined);
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    ),
  );
}

function isIncluded(selection: SelectionNode, variables: Variables): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, selection, variables)?.["if"] !== true &&
    getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.["if"] !== false
  );
}

/** A field of a type, or of one of its possible types. */
function fieldOf(
  type: GraphQLNamedType | undefined,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (!isCompositeType(type)) return undefined;
  const types = isAbstractType(type) ? SCHEMA.getPossibleTypes(type) : [type];
  for (const one of types) {
    const fields = "getFields" in one ? one.getFields() : {};
    if (Object.hasOwn(fields, name)) return fields[name];
  }
  return undefined;
}

function checkField(
  { name: { value: name }, arguments: given = [] }: FieldNode,
  type: GraphQLNamedType,
  known: GraphQLField<unknown, unknown> | undefined,
  variables: Variables,
  operation: OperationDefinitionNode,
): void {
  if (name.startsWith("__") || given.length === 0) return;
  const path = `${type.name}.${shownName(name)}`;
  const refused = (what: string) => notServed(what, operation.name?.value);
  if (known === undefined) throw refused(path);
  const unheard = given.find(
    (one) =>
      known.args.every((argument) => argument.name !== one.name.value) &&
      !asksNothing(valueFromASTUntyped(one.value, variables)),
  );
  if (unheard !== undefined) throw refused(`the argument ${shownName(unheard.name.value)} of ${path}`);
}
