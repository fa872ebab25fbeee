// Invalid evaluation queries, each with the place and the code of the issue that the response must contain. Tests run
// them against the sources and against the built command.

const filter = (query: unknown) => ({ filters: [{ query }] });
const expr = (operation: unknown) => filter({ $expr: operation });
const at = "body.filters.0.query.$expr";
const field = { $getField: "scores.match" };

/** The name, the body (sent unchanged if it is a text), and the issue: its `loc` joined with dots, and its `type`. */
export const REFUSALS: readonly (readonly [string, unknown, readonly [string, string]])[] = [
  ["a body that is not an object", [], ["body", "dict_type"]],
  ["a body that is text", '"text"', ["body", "dict_type"]],
  ["a body that is null", "null", ["body", "dict_type"]],
  ["no body", "", ["body", "missing"]],
  ["a body that is not JSON", "{", ["body.1", "json_invalid"]],
  ["a property that is not declared", { limits: 1 }, ["body.limits", "extra_forbidden"]],
  ["a property called __proto__", '{"__proto__": {}}', ["body.__proto__", "extra_forbidden"]],
  ["ids that are not a list", { evaluation_call_ids: "good" }, ["body.evaluation_call_ids", "list_type"]],
  [
    "an id that is not a string",
    { evaluation_run_ids: ["a", 1] },
    ["body.evaluation_run_ids.1", "string_type"],
  ],
  ["a flag that is not a boolean", { include_rows: "yes" }, ["body.include_rows", "bool_type"]],
  ["a flag that is null", { require_intersection: null }, ["body.require_intersection", "bool_type"]],
  ["a limit that is a string", { limit: "10" }, ["body.limit", "int_type"]],
  ["a limit that is not an integer", { limit: 1.5 }, ["body.limit", "int_type"]],
  ["a negative limit", { limit: -1 }, ["body.limit", "greater_than_equal"]],
  ["a negative offset", { offset: -1 }, ["body.offset", "greater_than_equal"]],
  ["an offset that is null", { offset: null }, ["body.offset", "int_type"]],
  [
    "an unknown logic operator",
    { filter_logic_operator: "xor" },
    ["body.filter_logic_operator", "literal_error"],
  ],
  ["sort keys that are not a list", { sort_by: {} }, ["body.sort_by", "list_type"]],
  ["a sort key that is not an object", { sort_by: ["scores.a"] }, ["body.sort_by.0", "dict_type"]],
  ["a sort key without a field", { sort_by: [{ direction: "asc" }] }, ["body.sort_by.0.field", "missing"]],
  [
    "a sort key without a direction",
    { sort_by: [{ field: "scores.a" }] },
    ["body.sort_by.0.direction", "missing"],
  ],
  [
    "an unknown direction",
    { sort_by: [{ field: "scores.a", direction: "up" }] },
    ["body.sort_by.0.direction", "literal_error"],
  ],
  [
    "an unknown field to sort by",
    { sort_by: [{ field: "latency", direction: "asc" }] },
    ["body.sort_by.0.field", "value_error"],
  ],
  [
    "a difference of a field that is not a score",
    { sort_by: [{ field: "inputs.a", direction: "asc", mode: "difference" }] },
    ["body.sort_by.0.field", "value_error"],
  ],
  ["references without raw rows", { resolve_row_refs: true }, ["body.resolve_row_refs", "value_error"]],
  ["filters that are not a list", { filters: {} }, ["body.filters", "list_type"]],
  ["a filter without a query", { filters: [{}] }, ["body.filters.0.query", "missing"]],
  ["a query that is not an object", filter(1), ["body.filters.0.query", "dict_type"]],
  ["a query without an expression", filter({}), ["body.filters.0.query.$expr", "missing"]],
  ["an $and of nothing", expr({ $and: [] }), [`${at}.$and`, "too_short"]],
  ["a $not of two", expr({ $not: [field, field] }), [`${at}.$not`, "too_long"]],
  ["an $eq of one", expr({ $eq: [field] }), [`${at}.$eq`, "too_short"]],
  ["an $in without a list", expr({ $in: [field, field] }), [`${at}.$in.1`, "list_type"]],
  [
    "a $contains without a substr",
    expr({ $contains: { input: field } }),
    [`${at}.$contains.substr`, "missing"],
  ],
  [
    "an unknown cast",
    expr({ $eq: [{ $convert: { input: field, to: "date" } }, { $literal: 1 }] }),
    [`${at}.$eq.0.$convert.to`, "literal_error"],
  ],
  [
    "an unknown field",
    expr({ $eq: [{ $getField: "latency" }, { $literal: 1 }] }),
    [`${at}.$eq.0.$getField`, "value_error"],
  ],
];
