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
  "422": problem("The request is wrong; `detail` says where."),
  "429": problem("Too many requests at once."),
  "500": problem("The server had an error."),
  "503": problem("The engine is overloaded or down."),
};

const chat = (operationId: string) => ({
  post: {
    operationId,
    summary: "Create a chat completion",
    tags: ["chat-completions"],
    security: [{ bearer: [] }],
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

/** The paths and schemas of the inference face. */
export function openApi(): OpenApiPart {
  return {
    paths: {
      "/v1/chat/completions": chat("create_chat_completion"),
      "/v1/chat/completions/": chat("create_chat_completion_slash"),
      "/v1/models": {
        get: {
          operationId: "list_inference_models",
          summary: "List the models that can be asked",
          tags: ["models"],
          security: [{ bearer: [] }],
          responses: { "200": { description: "The catalogue.", content: json("ModelList") }, ...PROBLEMS },
        },
      },
      "/v1/usage": {
        get: {
          operationId: "get_usage",
          summary: "Report usage (an extension)",
          tags: ["usage"],
          security: [{ bearer: [] }],
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
          usage: {
            type: "object",
            required: ["prompt_tokens", "completion_tokens", "total_tokens"],
            properties: { prompt_tokens: count, completion_tokens: count, total_tokens: count },
            additionalProperties: true,
          },
        },
        additionalProperties: true,
      },
      ModelList: {
        type: "object",
        required: ["object", "data"],
        properties: {
          object: { const: "list" },
          data: {
            type: "array",
            items: {
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
          },
        },
      },
      UsageReport: {
        type: "object",
        required: ["object", "data"],
        properties: {
          object: { const: "list" },
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
                prompt_tokens: count,
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
