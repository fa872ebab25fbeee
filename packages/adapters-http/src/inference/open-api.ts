// The inference face as an OpenAPI document describes it.

import type { OpenApiPart } from "../face.ts";
import { CHAT_PROBLEM } from "./problem-schema.ts";

const json = (schema: string) => ({
  "application/json": { schema: { $ref: `#/components/schemas/${schema}` } },
});
const problem = (description: string) => ({ description, content: json("ChatProblem") });
const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const query = (name: string, description: string) => ({ name, in: "query", schema: text, description });

const PROBLEMS = {
  "401": problem("Authentication failed: a wrong key, or a project that is not one of its own."),
  "415": problem("The body is not JSON, or compressed in a way that is not understood."),
  "422": problem("The request is wrong; `detail` says where."),
  "429": problem("Too many requests at once."),
  "500": problem("The server had an error."),
  "503": problem("The engine is overloaded or down, or the disk of the server failed."),
  "507": problem("No space is left on the server's disk."),
};

const TOKEN_USAGE = {
  type: "object",
  required: ["prompt_tokens", "completion_tokens", "total_tokens"],
  properties: { prompt_tokens: count, completion_tokens: count, total_tokens: count },
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

const MODEL_ID = {
  name: "model",
  in: "path",
  required: true,
  schema: text,
  description: "The model's id as the list has it, percent-encoded or not: it may contain slashes.",
} as const;

const chat = (operationId: string) => ({
  post: {
    operationId,
    summary: "Create a chat completion",
    tags: ["chat-completions"],
    security: [{ bearer: [] }, {}],
    requestBody: { required: true, content: json("ChatCompletionRequest") },
    responses: {
      "200": {
        description: "The answer; with `stream`, its chunks as server-sent events, ended by `[DONE]`.",
        content: { ...json("ChatCompletion"), "text/event-stream": { schema: text } },
      },
      "400": problem("The engine does not take the request."),
      "402": problem("The engine's quota is used up."),
      "404": problem("There is no such model."),
      ...PROBLEMS,
    },
  },
});

const responses = {
  post: {
    operationId: "create_response",
    summary: "Create a response; nothing is kept of it",
    tags: ["responses"],
    security: [{ bearer: [] }, {}],
    requestBody: { required: true, content: json("ResponseRequest") },
    responses: {
      "200": {
        description: "The response; with `stream`, its events (`response.created` … `response.completed`).",
        content: { ...json("ModelResponse"), "text/event-stream": { schema: text } },
      },
      "400": problem("The engine does not take the request."),
      "402": problem("The engine's quota is used up."),
      "404": problem("There is no such model."),
      ...PROBLEMS,
    },
  },
};

const model = {
  get: {
    operationId: "get_inference_model",
    summary: "Show a model that can be asked",
    tags: ["models"],
    security: [{ bearer: [] }, {}],
    parameters: [MODEL_ID],
    responses: {
      "200": { description: "As in the list.", content: json("InferenceModel") },
      "404": problem("There is no such model."),
      ...PROBLEMS,
    },
  },
  delete: {
    operationId: "delete_inference_model",
    summary: "Delete a trained model with its checkpoints",
    tags: ["models"],
    security: [{ bearer: [] }, {}],
    parameters: [MODEL_ID],
    responses: {
      "200": { description: "It is deleted.", content: json("DeletedInferenceModel") },
      "400": problem("The name is that of one checkpoint."),
      "403": problem("It is a base model."),
      "404": problem("There is no such model."),
      "409": problem("An alias holds one of its checkpoints."),
      ...PROBLEMS,
    },
  },
};

const asks = (
  operationId: string,
  tag: string,
  summary: string,
  [request, answer]: readonly [string, string],
) => ({
  operationId,
  summary,
  tags: [tag],
  security: [{ bearer: [] }, {}],
  requestBody: { required: true, content: json(request) },
  responses: {
    "200": { description: "The answer of the engine, checked and counted.", content: json(answer) },
    "400": problem("The engine does not take the request."),
    "402": problem("The engine's quota is used up."),
    "404": problem("There is no such model, or it does not do this: the message names those that do."),
    ...PROBLEMS,
  },
});

const completions = asks("create_completion", "completions", "Continue a text, or several", [
  "TextCompletionRequest",
  "TextCompletion",
]);

const completionsStreamed = {
  post: {
    ...completions,
    responses: {
      ...completions.responses,
      "200": {
        description: "The answer; with `stream`, its chunks as server-sent events, ended by `[DONE]`.",
        content: { ...json("TextCompletion"), "text/event-stream": { schema: text } },
      },
    },
  },
};

const embeddings = {
  post: asks("create_embedding", "embeddings", "Make vectors of texts", [
    "EmbeddingRequest",
    "EmbeddingList",
  ]),
};

/** The paths and schemas of the inference face. */
export function openApi(): OpenApiPart {
  return {
    paths: {
      "/v1/chat/completions": chat("create_chat_completion"),
      "/v1/chat/completions/": chat("create_chat_completion_slash"),
      "/v1/responses": responses,
      "/v1/completions": completionsStreamed,
      "/v1/embeddings": embeddings,
      "/v1/models/{model}": model,
      "/v1/models": {
        get: {
          operationId: "list_inference_models",
          summary: "List the models that can be asked",
          tags: ["models"],
          security: [{ bearer: [] }, {}],
          responses: { "200": { description: "The catalogue.", content: json("ModelList") }, ...PROBLEMS },
        },
      },
      "/v1/usage": {
        get: {
          operationId: "get_usage",
          summary: "Report usage (an extension)",
          tags: ["usage"],
          security: [{ bearer: [] }, {}],
          parameters: [
            ...["entity", "project", "model", "step", "key", "user"].map((name) =>
              query(name, `Only this ${name}.`),
            ),
            query("from", "The first day, YYYY-MM-DD in UTC."),
            query("to", "The last day, included."),
            query("group_by", "Some of day, model, step, key and user, separated by commas."),
          ],
          responses: { "200": { description: "Sums.", content: json("UsageReport") }, ...PROBLEMS },
        },
      },
    },
    schemas: {
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
          choices: { type: "array", items: { type: "object", additionalProperties: true } },
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
            properties: { prompt_tokens: count, total_tokens: count },
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
            description:
              "A text, or items: messages, calls of functions (`function_call`) and what came of them.",
            anyOf: [
              text,
              { type: "array", minItems: 1, items: { type: "object", additionalProperties: true } },
            ],
          },
          instructions: { type: ["string", "null"] },
          max_output_tokens: { type: ["integer", "null"], minimum: 1 },
          stream: { type: ["boolean", "null"] },
        },
        additionalProperties: true,
      },
      // Not `Response`, which is what many clients call the answer of a request.
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
            properties: { input_tokens: count, output_tokens: count, total_tokens: count },
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
          parent: { ...text, description: "What a trained model was made from." },
        },
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
              "Requests, of all keys and projects, whose record the disk has lost or changed: no report has them.",
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
                key: text,
                user: { type: ["string", "null"] },
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
    },
  };
}
