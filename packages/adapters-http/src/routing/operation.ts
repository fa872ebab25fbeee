// An operation of the HTTP interface. Its definition is the source for the router, the permissions of keys, the known
// query parameters, the limits of streams, and the OpenAPI document with the types of the client.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { KeyVerb } from "@assay/inference-core/internal";

/** A path, query or header parameter, as in OpenAPI. */
export type Parameter = {
  /** Its name. */
  readonly name: string;
  /** Its location. */
  readonly in: "path" | "query" | "header";
  /** Its meaning, and its default. Default: the meaning that its name has everywhere. */
  readonly description?: string;
  /** Whether it is required. */
  readonly required?: boolean;
  /** Its schema, with bounds and default. */
  readonly schema: Json;
  /** Whether it is repeated for several values. */
  readonly explode?: boolean;
  /** `deepObject`: an object whose members are passed separately, as in `metadata[team]=a`. */
  readonly style?: "deepObject";
  /** An example value. */
  readonly example?: Json;
};

/** A body, as in OpenAPI. */
export type OperationBody = {
  /** Whether it is required. */
  readonly required?: boolean;
  /**
   * Its schema by media type. A route accepts the types that a form can send only if `multipart/form-data` is among
   * them.
   */
  readonly content: { readonly [type: string]: Json };
};

/** One operation of the interface. */
export interface Operation {
  /** The method; GET includes HEAD. `ALL` means every method. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "ALL";
  /** Its path in OpenAPI notation, such as `/v1/keys/{id}`. */
  readonly path: string;
  /** The path in the router's notation, if parameters contain several segments: `/v1/models/:model{.+}`. */
  readonly pattern?: string;
  /** Why it is not in the OpenAPI document. Absent: it is. */
  readonly unlisted?: string;
  /** Its purpose, in a sentence. */
  readonly summary: string;
  /** Further information. */
  readonly description?: string;
  /** Its area. */
  readonly tags?: readonly string[];
  /** `none`: no key is required. `bearer`: clients send it as `Bearer`. Default: as `Bearer` or `Basic`. */
  readonly key?: "none" | "bearer";
  /** Its parameters. Other query parameters are refused. */
  readonly parameters?: readonly Parameter[];
  /** Its body. */
  readonly body?: OperationBody;
  /** Its answers, by status. */
  readonly answers?: { readonly [status: string]: Json };
  /**
   * What the key must be allowed to do: one of these verbs, or nothing if the list is empty. Default: `read` for GET,
   * else `write`.
   */
  readonly verbs?: readonly KeyVerb[];
  /**
   * Declares that the operation may answer with a stream: the number of streams per key is limited, and beyond the
   * limit the operation is not called. `small` streams, such as chats, take little memory: sixteen count as one. Other
   * answers written in chunks count too, once they exist.
   */
  readonly stream?: "large" | "small";
}

/** Operations by their IDs, in the order of the document. */
export interface Operations {
  /** One of them. */
  readonly [id: string]: Operation;
}

/** A request as a handler sees it. */
export interface RouteRequest {
  /** The original request. */
  readonly request: Request;
  /** The decoded path. */
  readonly path: string;
  /** The query parameters. */
  readonly query: URLSearchParams;
  /** A path parameter; empty if there is none with this name. */
  param(name: string): string;
}

/** Answers a request. */
export type Answer = (asked: RouteRequest) => Response | Promise<Response>;

/** The handler of each operation, by its ID. Undefined: this server does not have it. */
export interface Handlers {
  /** The handler of the operation with this ID. */
  readonly [id: string]: Answer | undefined;
}

/** An operation with its handler. */
export interface Route extends Operation {
  /** Its ID. */
  readonly id: string;
  /** The path in the router's notation. */
  readonly pattern: string;
  /** The verbs of which a key must have one, if there are any. */
  readonly verbs: readonly KeyVerb[];
  /** Its query parameters. */
  readonly queryNames: readonly string[];
  /** Those of them that are objects whose members are passed separately. */
  readonly queryObjects: readonly string[];
  /** Those of them that are repeated for several values. */
  readonly queryLists: readonly string[];
  /** Whether its bodies are multipart/form-data. */
  readonly multipart: boolean;
  /** The handler. */
  readonly answer: Answer;
}

/** The routes of these operations. Throws if an operation has no handler, or a handler no operation. */
export function routesOf(operations: Operations, handlers: Handlers): readonly Route[] {
  for (const id of Object.keys(handlers))
    if (!Object.hasOwn(operations, id)) throw new Error(`there is no operation ${id} for this handler`);
  return Object.entries(operations).flatMap(([id, operation]) => {
    if (!Object.hasOwn(handlers, id)) throw new Error(`the operation ${id} has no handler`);
    const answer = handlers[id];
    return answer === undefined ? [] : [routeOf(id, operation, answer)];
  });
}

const READ: readonly KeyVerb[] = ["read"];
const WRITE: readonly KeyVerb[] = ["write"];

function routeOf(id: string, operation: Operation, answer: Answer): Route {
  const { method, path, parameters = [], body } = operation;
  const asked = parameters.filter((one) => one.in === "query");
  return {
    pattern: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    verbs: method === "GET" ? READ : WRITE,
    queryNames: asked.map(({ name }) => name),
    queryObjects: asked.filter(({ style }) => style === "deepObject").map(({ name }) => name),
    queryLists: asked.filter(({ schema }) => isList(schema)).map(({ name }) => name),
    multipart: body !== undefined && "multipart/form-data" in body.content,
    ...operation,
    id,
    answer,
  };
}

function isList(schema: Json): boolean {
  return isJsonObject(schema) && schema["type"] === "array";
}
