// The configuration of upstreams, in YAML or JSON: the engines, which are the only hosts that are called.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { type Fields, isJsonObject } from "@assay/base/internal";
import type { UpstreamModel } from "@assay/inference-core";
import { ENDPOINTS } from "@assay/inference-core/internal";
import { isMap, isScalar, LineCounter, type Node, parseDocument, visit } from "yaml";

/** One engine. */
export interface UpstreamConfig {
  /** Its name in logs and reports. Unique. */
  readonly name: string;
  /** Its base address, such as `http://127.0.0.1:8000/v1`, without a trailing slash. */
  readonly url: string;
  /** Sent as a bearer token. */
  readonly key?: string;
  /** The most concurrent requests to send it. */
  readonly concurrency: number;
  /** How long to wait for it. */
  readonly timeouts: UpstreamTimeouts;
  /**
   * Whether to request a token count in every chunk, which vLLM supports: interrupted answers are then counted
   * exactly.
   */
  readonly continuousUsage: boolean;
  /**
   * How many LoRA adapters it can hold concurrently; absent if it loads none. With adapters, its models also serve
   * trained models.
   */
  readonly loraSlots?: number;
  /** Catalogue IDs with the engine's names, in the order of the file. */
  readonly models: readonly UpstreamModel[];
}

/** How long to wait for an engine, in milliseconds. */
interface UpstreamTimeouts {
  /** For a connection. */
  readonly connect: number;
  /** For the first byte of an answer, which includes queueing and reading the prompt. */
  readonly firstByte: number;
  /** For the next byte of an answer. */
  readonly idle: number;
  /** For a whole answer that is not streamed. */
  readonly whole: number;
}

const MAX_TEXT = 2 ** 20;
/** The most issues to report. */
const MAX_ISSUES = 100;
const DEFAULTS = { concurrency: 256, connect: 5, first_byte: 300, idle: 60, whole: 600 };
const UPSTREAM = ["name", "url", "key_env", "concurrency", "timeouts", "continuous_usage", "lora", "models"];
const NAME = /^[\w.-]{1,64}$/;

/** Notes an issue about the value at `path`. */
type Note = (path: Issue["path"], message: string) => void;

/**
 * Reads a list of upstreams. Keys come from `env`, under the names in `key_env`, to keep secrets out of the file.
 * Every issue has the code `invalid` and a message that starts with its line and column.
 */
export function readUpstreams(
  text: string,
  env: { readonly [name: string]: string | undefined },
): Result<readonly UpstreamConfig[]> {
  if (text.length > MAX_TEXT) return bad([{ code: "invalid", path: [], message: "the file is too large" }]);
  const lines = new LineCounter();
  // Unique keys are checked below: the library compares each key with all before it.
  const document = parseDocument(text, { lineCounter: lines, logLevel: "error", uniqueKeys: false });
  const issues: Issue[] = [];
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `line ${line}, column ${col}`;
  };
  const broken = [
    ...document.errors.map(({ pos, code }) => ({ offset: pos[0], code })),
    ...repeatedKeys(document).map((offset) => ({ offset, code: "DUPLICATE_KEY" })),
  ];
  for (const { offset, code } of broken.slice(0, MAX_ISSUES))
    issues.push({ code: "invalid", path: [], message: `${place(offset)}: not YAML (${code})` });
  if (issues.length > 0) return bad(issues);
  const note: Note = (path, message) => {
    if (issues.length === MAX_ISSUES) return;
    const offset = offsetOf(document.contents, path);
    issues.push({ code: "invalid", path, message: `${place(offset)}: ${message}` });
  };
  let root: unknown;
  try {
    root = document.toJS({ maxAliasCount: 100 });
  } catch {
    return bad([{ code: "invalid", path: [], message: "too many aliases" }]);
  }
  const upstreams = readList(root, env, note);
  return issues.length === 0 ? ok(upstreams) : bad(issues);
}

/** Where keys repeat earlier ones of their maps. */
function repeatedKeys(document: Parameters<typeof visit>[0]): readonly number[] {
  const offsets: number[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) offsets.push(key.range?.[0] ?? 0);
        seen.add(key.value);
      }
    },
  });
  return offsets;
}

/**
 * The offset of the value at `path` in the text, or of the closest thing around it: the key of a field, or the start
 * of an item.
 */
function offsetOf(root: Node | null, path: Issue["path"]): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? key.value : key) === part);
      if (pair === undefined) return offset;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value;
    } else {
      node = (node as { items?: readonly unknown[] } | null)?.items?.[part as number];
      if (node === undefined) return offset;
      offset = (node as Node).range?.[0] ?? offset;
    }
  }
  return offset;
}

function readList(
  root: unknown,
  env: { readonly [name: string]: string | undefined },
  note: Note,
): readonly UpstreamConfig[] {
  if (!isJsonObject(root)) {
    note([], "upstreams is required");
    return [];
  }
  noteUnknown(root, ["upstreams"], [], note);
  const list = root["upstreams"];
  if (!Array.isArray(list)) {
    note(["upstreams"], "upstreams must be a list");
    return [];
  }
  const names = new Set<unknown>();
  return list.flatMap((raw: unknown, at) => {
    const path = ["upstreams", at];
    if (!isJsonObject(raw)) {
      note(path, "an upstream must be an object");
      return [];
    }
    if (names.has(raw["name"])) note([...path, "name"], "another upstream has this name");
    names.add(raw["name"]);
    return [readUpstream(raw, path, env, note)];
  });
}

function readUpstream(
  raw: Fields,
  path: Issue["path"],
  env: { readonly [name: string]: string | undefined },
  note: Note,
): UpstreamConfig {
  noteUnknown(raw, UPSTREAM, path, note);
  const { name, key_env: keyName, continuous_usage: continuous = false } = raw;
  if (typeof name !== "string" || !NAME.test(name)) {
    note([...path, "name"], "name must consist of letters, digits, dots, dashes and underscores");
  }
  const key = typeof keyName === "string" ? env[keyName] : undefined;
  if (keyName !== undefined && (key === undefined || key === "")) {
    note([...path, "key_env"], "key_env must name an environment variable that is set");
  }
  if (typeof continuous !== "boolean")
    note([...path, "continuous_usage"], "continuous_usage must be true or false");
  const timeouts = fieldsOf(raw, "timeouts", path, ["connect", "first_byte", "idle", "whole"], note);
  const seconds = (field: "connect" | "first_byte" | "idle" | "whole") =>
    1000 * numberOf(timeouts[field], DEFAULTS[field], 0.001, [...path, "timeouts", field], note);
  const lora = raw["lora"] === undefined ? undefined : fieldsOf(raw, "lora", path, ["slots"], note);
  return {
    name: String(name),
    url: readUrl(raw["url"], [...path, "url"], note),
    ...(key !== undefined && { key }),
    concurrency: wholeOf(raw["concurrency"], DEFAULTS.concurrency, [...path, "concurrency"], note),
    timeouts: {
      connect: seconds("connect"),
      firstByte: seconds("first_byte"),
      idle: seconds("idle"),
      whole: seconds("whole"),
    },
    continuousUsage: continuous === true,
    ...(lora !== undefined && { loraSlots: wholeOf(lora["slots"], 1, [...path, "lora", "slots"], note) }),
    models: readModels(raw["models"], [...path, "models"], note),
  };
}

function readUrl(raw: unknown, path: Issue["path"], note: Note): string {
  const url = typeof raw === "string" && URL.canParse(raw) ? new URL(raw) : undefined;
  const plain = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url === undefined || !plain || !["http:", "https:"].includes(url.protocol)) {
    note(path, "url must be an http or https address, without credentials and query");
    return "";
  }
  return url.href.replace(/\/+$/, "");
}

function readModels(raw: unknown, path: Issue["path"], note: Note): readonly UpstreamModel[] {
  if (!isJsonObject(raw) || Object.keys(raw).length === 0) {
    note(
      path,
      "models must be an object of at least one model: the catalogue id, and the engine's name or true",
    );
    return [];
  }
  return Object.entries(raw).map(([id, model]) => readModel(id, model, [...path, id], note));
}

/** `true`, the engine's name, or `{ name, serves }`. */
function readModel(id: string, raw: unknown, path: Issue["path"], note: Note): UpstreamModel {
  const { name = true, serves, ...others } = isJsonObject(raw) ? raw : { name: raw };
  noteUnknown(others, ["name", "serves"], path, note);
  if (name !== true && (typeof name !== "string" || name === "")) {
    note(
      path,
      "must be the engine's name of the model, true when it is the same, or an object of name and serves",
    );
  }
  const known = ENDPOINTS.filter((endpoint) => Array.isArray(serves) && serves.includes(endpoint));
  if (
    serves !== undefined &&
    (known.length === 0 || known.length !== (serves as readonly unknown[]).length)
  ) {
    note([...path, "serves"], `serves must be a list of some of ${ENDPOINTS.join(", ")}, each once`);
  }
  return {
    id,
    engineName: name === true ? id : String(name),
    ...(serves !== undefined && { serves: known }),
  };
}

function fieldsOf(
  raw: Fields,
  name: string,
  path: Issue["path"],
  known: readonly string[],
  note: Note,
): Fields {
  const value = raw[name] ?? {};
  if (!isJsonObject(value)) {
    note([...path, name], `${name} must be an object`);
    return {};
  }
  noteUnknown(value, known, [...path, name], note);
  return value;
}

function wholeOf(raw: unknown, otherwise: number, path: Issue["path"], note: Note): number {
  const value = numberOf(raw, otherwise, 1, path, note);
  if (!Number.isInteger(value)) note(path, `${String(path.at(-1))} must be a whole number`);
  return value;
}

function numberOf(raw: unknown, otherwise: number, least: number, path: Issue["path"], note: Note): number {
  const value = raw ?? otherwise;
  if (typeof value === "number" && value >= least && value <= 1e6) return value;
  note(path, `${String(path.at(-1))} must be a number of at least ${least}`);
  return otherwise;
}

function noteUnknown(raw: Fields, known: readonly string[], path: Issue["path"], note: Note): void {
  for (const name of Object.keys(raw)) {
    if (!known.includes(name))
      note([...path, name], `${name} is not known here; known are ${known.join(", ")}`);
  }
}
