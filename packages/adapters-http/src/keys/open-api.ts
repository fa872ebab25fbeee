// The keys face as an OpenAPI document describes it.

import type { OpenApiPart } from "../face.ts";
import { CHAT_PROBLEM } from "../inference/problem-schema.ts";

const json = (schema: string) => ({
  "application/json": { schema: { $ref: `#/components/schemas/${schema}` } },
});
const problem = (description: string) => ({ description, content: json("ChatProblem") });
const text = { type: "string" } as const;
const time = { type: ["integer", "null"], description: "Seconds since 1970." } as const;
const scopes = { type: "array", items: { ...text, description: "entity/project, entity/* or *" } } as const;

const verbs = {
  type: "array",
  items: { enum: ["read", "write", "train", "chat"] },
  description: "What it may be used for: to see what is there, change it, train, ask models.",
} as const;

const PROBLEMS = {
  "401": problem("Authentication failed."),
  "403": problem("The key is not one for everything."),
  "422": problem("The request is wrong; `detail` says where."),
  "415": problem("The body is not JSON, or compressed in a way that is not understood."),
};
const security = [{ bearer: [] }, {}];
const tags = ["keys"];

/** The paths and schemas of the keys face. */
export function openApi(): OpenApiPart {
  const key = {
    id: { ...text, description: "The public part of the key." },
    object: { const: "key" },
    name: text,
    scopes,
    can: verbs,
    created_at: time,
    expires_at: time,
    revoked_at: time,
  };
  return {
    paths: {
      "/v1/keys": {
        post: {
          operationId: "create_key",
          summary: "Create an API key (an extension)",
          tags,
          security,
          requestBody: { required: true, content: json("KeyRequest") },
          responses: {
            "200": { description: "The key; its text is told only here.", content: json("NewKey") },
            ...PROBLEMS,
          },
        },
        get: {
          operationId: "list_keys",
          summary: "List the API keys, without their texts (an extension)",
          tags,
          security,
          parameters: [{ name: "after", in: "query", schema: text, description: "Only keys after this id." }],
          responses: { "200": { description: "Keys in id order.", content: json("KeyList") }, ...PROBLEMS },
        },
      },
      "/v1/keys/{id}": {
        delete: {
          operationId: "revoke_key",
          summary: "Revoke an API key (an extension)",
          tags,
          security,
          parameters: [{ name: "id", in: "path", required: true, schema: text }],
          responses: {
            "200": { description: "The key, which works no more.", content: json("Key") },
            "404": problem("There is no such key."),
            ...PROBLEMS,
          },
        },
      },
    },
    schemas: {
      ChatProblem: CHAT_PROBLEM,
      KeyRequest: {
        type: "object",
        required: ["name", "scopes"],
        properties: {
          name: text,
          scopes: { ...scopes, minItems: 1, maxItems: 100 },
          can: { ...verbs, type: ["array", "null"], minItems: 1 },
          expires_at: time,
        },
        additionalProperties: false,
      },
      Key: { type: "object", required: Object.keys(key), properties: key },
      NewKey: {
        type: "object",
        required: [...Object.keys(key), "key"],
        properties: { ...key, key: { ...text, description: "What to send as Bearer." } },
      },
      KeyList: {
        type: "object",
        required: ["object", "data", "has_more"],
        properties: {
          object: { const: "list" },
          data: { type: "array", items: { $ref: "#/components/schemas/Key" } },
          has_more: { type: "boolean" },
        },
      },
    },
  };
}
