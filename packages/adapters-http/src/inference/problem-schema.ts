// The body of error responses in the OpenAPI document: one schema for all routes that share the format.

/** The output of `problem.ts`. */
export const CHAT_PROBLEM = {
  type: "object",
  required: ["detail", "error"],
  properties: {
    detail: { description: "A sentence, or a list of what is wrong." },
    error: {
      type: "object",
      required: ["message", "type", "param", "code"],
      properties: {
        message: { type: "string" },
        type: { type: "string" },
        param: { type: ["string", "null"] },
        code: { type: ["string", "null"] },
      },
    },
  },
} as const;
