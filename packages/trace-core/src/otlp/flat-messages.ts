// Messages that a library spreads over attributes, such as `llm.input_messages.0.message.content`, because attributes
// cannot be nested.

import type { Json, JsonObject } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";

/** The most names in the path of an attribute. */
const DEEPEST = 12;

interface Branch {
  readonly members: Map<string, Branch>;
  value?: Json;
}

/** The messages below `prefix`, in order; undefined if there are none. */
export function flatMessages(attributes: JsonObject, prefix: string): Json | undefined {
  const root: Branch = { members: new Map() };
  for (const [name, value] of Object.entries(attributes)) {
    const path = name.startsWith(`${prefix}.`) ? name.slice(prefix.length + 1).split(".") : [];
    if (/^\d+$/.test(path[0] ?? "") && path.length > 1 && path.length <= DEEPEST) put(root, path, value);
  }
  const messages = jsonOf(root);
  return Array.isArray(messages) ? messages.map(messageIn) : undefined;
}

function put(root: Branch, path: readonly string[], value: Json): void {
  let at = root;
  for (const name of path) {
    const next = at.members.get(name) ?? { members: new Map() };
    at.members.set(name, next);
    at = next;
  }
  at.value = value;
}

function jsonOf({ members, value = null }: Branch): Json {
  if (members.size === 0) return value;
  const entries = [...members].map(([name, branch]): [string, Json] => [name, jsonOf(branch)]);
  const isList = entries.every(([name]) => /^\d+$/.test(name));
  return isList
    ? entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, one]) => one)
    : Object.fromEntries(entries);
}

/** OpenInference puts a message into a member of this name. */
function messageIn(one: Json): Json {
  return isJsonObject(one) && isJsonObject(one["message"]) ? one["message"] : one;
}
