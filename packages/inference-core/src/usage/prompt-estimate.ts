// Estimates the tokens of a prompt, for answers that ended before their engine reported the count.

import type { ChatRequest } from "../requests/chat-request.ts";

/** Approximate characters per token in today's tokenizers, and tokens that frame a message. */
const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_MESSAGE = 4;

/** An estimate from the length of the texts. It leaves out images and tools. */
export function estimatePromptTokens({ messages }: ChatRequest): number {
  let characters = 0;
  for (const { content } of messages) {
    if (typeof content === "string") characters += content.length;
    else if (Array.isArray(content)) {
      for (const part of content) if (typeof part["text"] === "string") characters += part["text"].length;
    }
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + TOKENS_PER_MESSAGE * messages.length;
}
