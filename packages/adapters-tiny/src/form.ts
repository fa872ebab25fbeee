// The answer format that a request requires: a JSON object, a value of a schema, or a function call.

import type { Issue } from "@assay/base";
import type { ChatRequest, Refusal } from "@assay/inference-core";
import { schemaGrammar } from "@assay/model-tiny";
import {
  type CallableFunction,
  callGrammar,
  callOrTextGrammar,
  type Grammar,
  jsonObjectGrammar,
} from "@assay/model-tiny/internal";

/** The required form of an answer. */
export interface Form {
  /** Absent: any text. */
  readonly grammar?: Grammar;
  /** The functions that it may call. */
  readonly functions: readonly string[];
}

type Fields = { readonly [name: string]: unknown };

/** The form of the answer to `request`, or why it is not supported. */
export function readForm(request: ChatRequest): Form | Refusal {
  const format = formatOf(request);
  if (format !== undefined && "code" in format) return format;
  const called = functionsOf(request);
  if ("code" in called) return called;
  const { functions, must } = called;
  if (functions.length === 0) return { functions: [], ...(format !== undefined && { grammar: format }) };
  if (format !== undefined)
    return rejected(
      "response_format",
      "the tiny model supports either a response_format or tools, not both at once",
    );
  const grammar = must ? callGrammar(functions) : callOrTextGrammar(functions);
  return { grammar, functions: functions.map(({ name }) => name) };
}

function formatOf(request: ChatRequest): Grammar | Refusal | undefined {
  const format = (request["response_format"] ?? undefined) as Fields | undefined;
  if (format === undefined || format["type"] === "text") return undefined;
  if (format["type"] === "json_object") return jsonObjectGrammar();
  if (format["type"] !== "json_schema")
    return rejected(
      "response_format.type",
      "the tiny model supports the formats text, json_object and json_schema",
    );
  const place = "response_format.json_schema.schema";
  const schema = (format["json_schema"] as Fields | null | undefined)?.["schema"];
  return grammarAt(schema, place);
}

/** The functions that may be called, and whether one must be. */
function functionsOf(
  request: ChatRequest,
): { readonly functions: readonly CallableFunction[]; readonly must: boolean } | Refusal {
  const tools = (request["tools"] ?? []) as readonly Fields[];
  const choice = request["tool_choice"] ?? (tools.length > 0 ? "auto" : "none");
  if (choice === "none") return { functions: [], must: false };
  const named = nameOf(choice);
  if (named === undefined && choice !== "auto" && choice !== "required")
    return rejected(
      "tool_choice",
      'the tiny model supports the choices "none", "auto", "required" and one function',
    );
  const functions: CallableFunction[] = [];
  for (const [at, tool] of tools.entries()) {
    if (tool["type"] !== "function")
      return rejected(`tools[${at}].type`, "the tiny model supports only functions as tools");
    const { name, parameters } = tool["function"] as { readonly name: string; readonly parameters?: unknown };
    if (named !== undefined && name !== named) continue;
    const grammar = grammarAt(parameters ?? NOTHING, `tools[${at}].function.parameters`);
    if ("code" in grammar) return grammar;
    functions.push({ name, arguments: grammar });
  }
  if (functions.length === 0 && choice !== "auto")
    return rejected("tool_choice", "there is no such function among the tools");
  return { functions, must: choice !== "auto" };
}

/** The parameters of a function that declares none. */
const NOTHING = { type: "object", properties: {}, additionalProperties: false };

/** The function that `{ type: "function", function: { name } }` names. */
function nameOf(choice: unknown): string | undefined {
  const { type, function: made } = (typeof choice === "object" ? choice : {}) as Fields;
  const name = type === "function" ? (made as Fields | null | undefined)?.["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

function grammarAt(schema: unknown, place: string): Grammar | Refusal {
  const read = schemaGrammar(schema);
  if (read.ok) return read.value;
  const [{ path, message }] = read.issues as readonly [Issue, ...Issue[]];
  return rejected([place, ...path].join("."), message);
}

function rejected(param: string, message: string): Refusal {
  return { code: "rejected", message: `${param}: ${message}`, param };
}
