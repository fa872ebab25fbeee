// The operations of models.

import type { Json } from "@assay/base";
import { USAGE_DIMENSIONS } from "@assay/inference-core/internal";
import type { Operation, Operations, Parameter } from "../routing/operation.ts";
import { inQuery, jsonContent } from "../routing/operation-parts.ts";
import { CHAT_PROBLEM } from "./problem-schema.ts";
import { NOT_STORED } from "./response-routes.ts";

const problem = (description: string): Json => ({ description, content: jsonContent("ChatProblem") });
const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const estimated = {
  type: "boolean",
  description:
    "Present when the engine did not count all tokens; an answer that is not streamed also has the header `x-usage: estimated`.",
} as const;
/** A key that may chat may list the models. */
const SEES = ["read", "chat"] as const;

const PROBLEMS = {
  "401": problem("Authentication failed: a wrong key, or a project that the key gives no access to."),
  "415": problem("The body is not JSON, or has an unsupported compression."),
  "422": problem("The request is wrong; `detail` says where."),
  "429": problem("Too many concurrent requests."),
  "500": problem("The server had an error."),
  "503": problem("The engine is overloaded or down, or the disk of the server failed."),
  "507": problem("No space is left on the server's disk."),
};

const CHOICE = {
  type: "object",
  required: ["index", "message", "finish_reason"],
  properties: {
    index: { type: "integer", minimum: 0, description: "Its index among the answers." },
    message: {
      type: "object",
      required: ["role", "content"],
      properties: {
        role: { const: "assistant" },
        content: {
          type: ["string", "null"],
          description: "The text; null when the model only calls tools.",
        },
      },
      additionalProperties: true,
      description: "The model's answer.",
    },
    finish_reason: {
      type: ["string", "null"],
      description: "Why it ended: `stop`, `length`, `tool_calls`, or the engine's own reason.",
    },
    logprobs: { description: "Log-probabilities of the tokens, if you asked for them." },
  },
  additionalProperties: true,
};

const TOKEN_USAGE = {
  type: "object",
  required: ["prompt_tokens", "completion_tokens", "total_tokens"],
  properties: { prompt_tokens: count, completion_tokens: count, total_tokens: count, estimated },
  additionalProperties: true,
} as const;

const TEXTS = {
  description: "A text, its tokens, or a list of up to 2048 texts or lists of tokens.",
  anyOf: [
    text,
    { type: "array", minItems: 1, maxItems: 2048, items: text },
    { type: "array", minItems: 1, items: count },
    { type: "array", minItems: 1, maxItems: 2048, items: { type: "array", minItems: 1, items: count } },
  ],
} as const;

const MODEL_ID: Parameter = {
  name: "model",
  in: "path",
  required: true,
  schema: text,
  description: "The model's id from the list, percent-encoded or not; it may contain slashes.",
};
/** Its path, in which the ID may contain unencoded slashes. */
const MODEL = { path: "/v1/models/{model}", pattern: "/v1/models/:model{.+}", parameters: [MODEL_ID] };

/** The answers of an engine, whole or streamed. */
const STREAMED = "The answer; with `stream`, its chunks as server-sent events, ended by `[DONE]`.";
const streams = (description: string, schema: string): Json => ({
  description,
  content: { ...jsonContent(schema), "text/event-stream": { schema: {} } },
});

/** Calls a model, with a key that may chat. */
function asking(
  operation: Pick<Operation, "path" | "summary" | "stream">,
  tag: string,
  [request, answer]: readonly [schema: string, answer: Json],
  missing = "No such model.",
): Operation {
  return {
    ...operation,
    method: "POST",
    tags: [tag],
    key: "bearer",
    body: { required: true, content: jsonContent(request) },
    answers: {
      "200": answer,
      "400": problem("The engine refused the request."),
      "402": problem("The engine's quota is used up."),
      "404": problem(missing),
      ...PROBLEMS,
    },
    verbs: ["chat"],
  };
}

const NO_MODEL = "No such model, or it does not support this; the message names those that do.";
const CHAT = "/v1/chat/completions";
const chat = (path: string): Operation =>
  asking({ path, summary: "Create a chat completion.", stream: "small" }, "chat-completions", [
    "ChatCompletionRequest",
    streams(STREAMED, "ChatCompletion"),
  ]);

/** The path of a response. */
const RESPONSE = {
  path: "/v1/responses/{response_id}",
  parameters: [
    { name: "response_id", in: "path", required: true, schema: text, description: "The id of the response." },
  ],
} as const;

const notStored = (path: string): Operation => ({
  method: "ALL",
  path,
  unlisted: "it only reports that the feature does not exist",
  summary: "Report what is not stored.",
  verbs: ["chat"],
});

/** The operations of models. */
export const OPERATIONS: Operations = {
  create_chat_completion: chat(CHAT),
  // Clients can be configured with this path too, and generated ones use exactly it.
  create_chat_completion_slash: chat(`${CHAT}/`),
  create_response: asking(
    { path: "/v1/responses", summary: "Create a response.", stream: "small" },
    "responses",
    [
      "ResponseRequest",
      streams(
        "The response; with `stream`, its events (`response.created` … `response.completed`).",
        "ModelResponse",
      ),
    ],
  ),
  get_response: {
    method: "GET",
    ...RESPONSE,
    summary: "Show one of the latest responses.",
    tags: ["responses"],
    key: "bearer",
    answers: {
      "200": { description: "The response.", content: jsonContent("ModelResponse") },
      "404": problem("It is not among the latest responses of this key."),
      ...PROBLEMS,
    },
    verbs: ["chat"],
  },
  delete_response: {
    method: "DELETE",
    ...RESPONSE,
    summary: "Delete one of the latest responses.",
    tags: ["responses"],
    key: "bearer",
    answers: {
      "200": { description: "Deleted.", content: jsonContent("DeletedResponse") },
      "404": problem("It is not among the latest responses of this key."),
      ...PROBLEMS,
    },
    verbs: ["chat"],
  },
  ...Object.fromEntries(NOT_STORED.map(([path], at) => [`notStored${at}`, notStored(path)])),
  create_completion: asking(
    { path: "/v1/completions", summary: "Continue a text, or several.", stream: "small" },
    "completions",
    ["TextCompletionRequest", streams(STREAMED, "TextCompletion")],
    NO_MODEL,
  ),
  create_embedding: asking(
    { path: "/v1/embeddings", summary: "Create embeddings of texts." },
    "embeddings",
    [
      "EmbeddingRequest",
      {
        description: "The answer of the engine, checked and counted.",
        content: jsonContent("EmbeddingList"),
      },
    ],
    NO_MODEL,
  ),
  get_inference_model: {
    method: "GET",
    ...MODEL,
    summary: "Show a model.",
    tags: ["models"],
    key: "bearer",
    answers: {
      "200": { description: "The model, as in the list.", content: jsonContent("InferenceModel") },
      "404": problem("No such model."),
      ...PROBLEMS,
    },
    verbs: SEES,
  },
  delete_inference_model: {
    method: "DELETE",
    ...MODEL,
    summary: "Delete a trained model with its checkpoints.",
    tags: ["models"],
    key: "bearer",
    answers: {
      "200": { description: "Deleted.", content: jsonContent("DeletedInferenceModel") },
      "400": problem("The name is of a single checkpoint."),
      "403": problem("It is a base model."),
      "404": problem("No such model."),
      "409": problem("An alias holds one of its checkpoints."),
      ...PROBLEMS,
    },
    verbs: ["train"],
  },
  list_inference_models: {
    method: "GET",
    path: "/v1/models",
    summary: "List the models.",
    tags: ["models"],
    key: "bearer",
    answers: { "200": { description: "The catalogue.", content: jsonContent("ModelList") }, ...PROBLEMS },
    verbs: SEES,
  },
  get_usage: {
    method: "GET",
    path: "/v1/usage",
    summary: "Report usage (an extension).",
    tags: ["usage"],
    key: "bearer",
    parameters: [
      ...["entity", "project", "model", "step", "key", "user"].map((name) =>
        inQuery(name, text, `Only this ${name}.`),
      ),
      inQuery("from", text, "The first day, YYYY-MM-DD in UTC."),
      inQuery("to", text, "The last day, included."),
      inQuery("group_by", text, `Some of ${USAGE_DIMENSIONS.join(", ")}, separated by commas.`),
    ],
    answers: { "200": { description: "Sums.", content: jsonContent("UsageReport") }, ...PROBLEMS },
  },
};

/** The schemas that they refer to. */
export const SCHEMAS: { readonly [name: string]: Json } = {
  ChatCompletionRequest: {
    type: "object",
    required: ["model", "messages"],
    properties: {
      model: {
        ...text,
        description: "An id of the model list, or wandb-artifact:///entity/project/name:stepN.",
      },
      messages: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          required: ["role"],
          properties: { role: text },
          additionalProperties: true,
        },
      },
      stream: { type: ["boolean", "null"] },
    },
    additionalProperties: true,
  },
  ChatCompletion: {
    type: "object",
    required: ["id", "object", "created", "model", "choices", "usage"],
    properties: {
      id: text,
      object: { const: "chat.completion" },
      created: { type: "integer" },
      model: text,
      choices: { type: "array", items: CHOICE },
      usage: TOKEN_USAGE,
    },
    additionalProperties: true,
  },
  TextCompletionRequest: {
    type: "object",
    required: ["model", "prompt"],
    properties: {
      model: text,
      prompt: TEXTS,
      max_tokens: { type: ["integer", "null"], minimum: 0 },
      n: { type: ["integer", "null"], minimum: 1, maximum: 128 },
      best_of: { type: ["integer", "null"], minimum: 1, maximum: 128 },
      echo: { type: ["boolean", "null"] },
      logprobs: { type: ["integer", "null"], minimum: -1, maximum: 1000 },
      suffix: { type: ["string", "null"] },
      stream: { type: ["boolean", "null"] },
    },
    additionalProperties: true,
  },
  TextCompletion: {
    type: "object",
    required: ["id", "object", "created", "model", "choices", "usage"],
    properties: {
      id: text,
      object: { const: "text_completion" },
      created: { type: "integer" },
      model: text,
      choices: {
        type: "array",
        items: {
          type: "object",
          required: ["index", "text", "finish_reason", "logprobs"],
          properties: {
            index: count,
            text,
            finish_reason: text,
            logprobs: { type: ["object", "null"], additionalProperties: true },
          },
          additionalProperties: true,
        },
      },
      usage: TOKEN_USAGE,
    },
    additionalProperties: true,
  },
  EmbeddingRequest: {
    type: "object",
    required: ["model", "input"],
    properties: {
      model: text,
      input: TEXTS,
      encoding_format: { enum: ["float", "base64", null] },
      dimensions: { type: ["integer", "null"], minimum: 1 },
      user: { type: ["string", "null"] },
      stream: { enum: [false, null] },
    },
    additionalProperties: true,
  },
  EmbeddingList: {
    type: "object",
    required: ["object", "data", "model", "usage"],
    properties: {
      object: { const: "list" },
      data: {
        type: "array",
        items: {
          type: "object",
          required: ["object", "index", "embedding"],
          properties: {
            object: { const: "embedding" },
            index: count,
            embedding: { anyOf: [{ type: "array", items: { type: "number" } }, text] },
          },
        },
      },
      model: text,
      usage: {
        type: "object",
        required: ["prompt_tokens", "total_tokens"],
        properties: { prompt_tokens: count, total_tokens: count, estimated },
        additionalProperties: true,
      },
    },
    additionalProperties: true,
  },
  ResponseRequest: {
    type: "object",
    required: ["model", "input"],
    properties: {
      model: text,
      input: {
        description: "A text, or items: messages, function calls (`function_call`) and their outputs.",
        anyOf: [text, { type: "array", minItems: 1, items: { type: "object", additionalProperties: true } }],
      },
      instructions: { type: ["string", "null"] },
      max_output_tokens: { type: ["integer", "null"], minimum: 1 },
      stream: { type: ["boolean", "null"] },
    },
    additionalProperties: true,
  },
  // Not named `Response`, which many clients use for the answer of a request.
  ModelResponse: {
    type: "object",
    required: ["id", "object", "created_at", "status", "model", "output", "usage"],
    properties: {
      id: text,
      object: { const: "response" },
      created_at: { type: "integer" },
      status: { enum: ["in_progress", "completed", "incomplete"] },
      model: text,
      output: { type: "array", items: { type: "object", additionalProperties: true } },
      usage: {
        type: "object",
        required: ["input_tokens", "output_tokens", "total_tokens"],
        properties: { input_tokens: count, output_tokens: count, total_tokens: count, estimated },
        additionalProperties: true,
      },
    },
    additionalProperties: true,
  },
  InferenceModel: {
    type: "object",
    required: ["id", "object", "created", "owned_by", "root"],
    properties: {
      id: text,
      object: { const: "model" },
      created: { type: "integer" },
      owned_by: text,
      root: text,
      parent: { ...text, description: "The base of a trained model." },
    },
  },
  DeletedResponse: {
    type: "object",
    required: ["id", "object", "deleted"],
    properties: { id: text, object: { const: "response" }, deleted: { const: true } },
  },
  DeletedInferenceModel: {
    type: "object",
    required: ["id", "object", "deleted"],
    properties: { id: text, object: { const: "model" }, deleted: { const: true } },
  },
  ModelList: {
    type: "object",
    required: ["object", "data"],
    properties: {
      object: { const: "list" },
      data: { type: "array", items: { $ref: "#/components/schemas/InferenceModel" } },
    },
  },
  UsageReport: {
    type: "object",
    required: ["object", "data", "lost_records"],
    properties: {
      object: { const: "list" },
      lost_records: {
        ...count,
        description:
          "Requests of all keys and projects whose record is lost or damaged on disk; no report includes them.",
      },
      data: {
        type: "array",
        items: {
          type: "object",
          required: ["entity", "project", "requests"],
          properties: {
            entity: text,
            project: text,
            model: text,
            step: { type: ["integer", "null"] },
            key: { ...text, description: "The ID of an API key." },
            key_name: { type: ["string", "null"], description: "Its name; null for keys that have none." },
            user: { type: ["string", "null"] },
            month: text,
            day: text,
            requests: count,
            aborted: count,
            failed: count,
            estimated: count,
            cost_usd: {
              type: ["string", "null"],
              description:
                "US dollars as an exact decimal, of the requests with a price; null when none has one.",
            },
            unpriced_requests: count,
            prompt_tokens: count,
            cached_tokens: count,
            generated_tokens: count,
            delivered_tokens: count,
          },
        },
      },
    },
  },
  ChatProblem: CHAT_PROBLEM,
};
