// The operations of keys.

import type { Json } from "@assay/base";
import { CHAT_PROBLEM } from "../inference/problem-schema.ts";
import type { Operations } from "../routing/operation.ts";
import { jsonContent } from "../routing/operation-parts.ts";

const problem = (description: string): Json => ({ description, content: jsonContent("ChatProblem") });
const text = { type: "string" } as const;
const time = { type: ["integer", "null"], description: "Seconds since 1970." } as const;
const scopes = { type: "array", items: { ...text, description: "entity/project, entity/* or *" } } as const;

const verbs = {
  type: "array",
  items: { enum: ["read", "write", "train", "chat"] },
  description: "What the key may do: read, write, train, ask models.",
} as const;

const PROBLEMS = {
  "401": problem("Authentication failed."),
  "403": problem("The key does not open everything."),
  "422": problem("The request is wrong; `detail` says where."),
  "415": problem("The body is not JSON, or has an unsupported compression."),
};
const KEY = {
  id: { ...text, description: "The public part of the key." },
  object: { const: "key" },
  name: text,
  scopes,
  can: verbs,
  created_at: time,
  expires_at: time,
  revoked_at: time,
};

const SHARED = { tags: ["keys"], key: "bearer", verbs: [] } as const;

/**
 * The operations of keys. They require every verb themselves: a key that can create keys can create one for
 * everything.
 */
export const OPERATIONS: Operations = {
  create_key: {
    method: "POST",
    path: "/v1/keys",
    summary: "Create an API key (an extension).",
    ...SHARED,
    body: { required: true, content: jsonContent("KeyRequest") },
    answers: {
      "200": { description: "The key; its text is shown only here.", content: jsonContent("NewKey") },
      ...PROBLEMS,
    },
  },
  list_keys: {
    method: "GET",
    path: "/v1/keys",
    summary: "List the API keys, without their texts (an extension).",
    ...SHARED,
    parameters: [{ name: "after", in: "query", schema: text, description: "Only keys after this id." }],
    answers: { "200": { description: "Keys in id order.", content: jsonContent("KeyList") }, ...PROBLEMS },
  },
  revoke_key: {
    method: "DELETE",
    path: "/v1/keys/{id}",
    summary: "Revoke an API key (an extension).",
    ...SHARED,
    parameters: [{ name: "id", in: "path", required: true, schema: text }],
    answers: {
      "200": { description: "The key, which no longer works.", content: jsonContent("Key") },
      "404": problem("No such key."),
      ...PROBLEMS,
    },
  },
};

/** The schemas that they refer to. */
export const SCHEMAS: { readonly [name: string]: Json } = {
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
  Key: { type: "object", required: Object.keys(KEY), properties: KEY },
  NewKey: {
    type: "object",
    required: [...Object.keys(KEY), "key"],
    properties: { ...KEY, key: { ...text, description: "The text to send as a Bearer token." } },
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
};
