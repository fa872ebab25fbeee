// An operation: one thing that can be asked over HTTP, said once. The router, what keys may do, the query parameters that
// are known, streams and the OpenAPI document with the types of its client are all made of it.

import type { Json } from "@assay/base";
import type { KeyVerb } from "@assay/inference-core/internal";

/** A parameter of a path, a query or a header, as OpenAPI has it. */
export type Parameter = {
  /** What it is called. */
  readonly name: string;
  /** Where it is. */
  readonly in: "path" | "query" | "header";
  /** What it is, and what it means when it is absent. Default: what its name means everywhere. */
  readonly description?: string;
  /** Whether it must be given. */
  readonly required?: boolean;
  /** What it may be, with bounds and default. */
  readonly schema: Json;
  /** Whether it is given again for each of several values. */
  readonly explode?: boolean;
  /** `deepObject`: an object whose members are each given, as in `metadata[team]=a`. */
  readonly style?: "deepObject";
  /** A value, to read. */
  readonly example?: Json;
};

/** A body, as OpenAPI has it. */
export type OperationBody = {
  /** Whether it must be given. */
  readonly required?: boolean;
  /** Its schema by media type. A route takes what a form can send only when `multipart/form-data` is here. */
  readonly content: { readonly [type: string]: Json };
};

/** One thing that can be asked. */
export interface Operation {
  /** The method, which for GET means HEAD too. `ALL` is every one. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "ALL";
  /** Its path as OpenAPI writes it, as in `/v1/keys/{id}`. */
  readonly path: string;
  /** The path as the router matches it, where parameters hold more than one part: `/v1/models/:model{.+}`. */
  readonly pattern?: string;
  /** Why it is not in the OpenAPI document. Absent: it is. */
  readonly unlisted?: string;
  /** What it does, in a sentence. */
  readonly summary: string;
  /** What else there is to know. */
  readonly description?: string;
  /** The area that it belongs to. */
  readonly tags?: readonly string[];
  /** `none`: no key is required. `bearer`: clients send it as `Bearer`. Default: as `Bearer` or `Basic`. */
  readonly key?: "none" | "bearer";
  /** Its parameters. Those in queries that are not here are refused. */
  readonly parameters?: readonly Parameter[];
  /** What it takes. */
  readonly body?: OperationBody;
  /** What it answers, by status. */
  readonly answers?: { readonly [status: string]: Json };
  /**
   * What a key must be allowed: one of these verbs, or none of them when the list is empty. Default: `read` for GET, else
   * `write`.
   */
  readonly verbs?: readonly KeyVerb[];
  /**
   * Answers that go on for as long as they are read: a key has a share of them, and beyond it the operation is not asked.
   * `small` ones hold little, as a chat's do: sixteen of them count as one. Other answers that are written piece by
   * piece count too once they are made.
   */
  readonly stream?: "large" | "small";
}

/** Operations by their ids, in the order of the document. */
export interface Operations {
  /** One of them. */
  readonly [id: string]: Operation;
}

/** A request, as what answers it sees it. */
export interface RouteRequest {
  /** The request as it came. */
  readonly request: Request;
  /** The path, decoded. */
  readonly path: string;
  /** The parameters of the query. */
  readonly query: URLSearchParams;
  /** A parameter of the path; empty when there is none by this name. */
  param(name: string): string;
}

/** Answers a request. */
export type Answer = (asked: RouteRequest) => Response | Promise<Response>;

/** What answers each operation, by its id. Undefined: this server does not have it. */
export interface Handlers {
  /** What answers the operation with this id. */
  readonly [id: string]: Answer | undefined;
}

/** An operation with what answers it. */
export interface Route extends Operation {
  /** Its id. */
  readonly id: string;
  /** The path as the router matches it. */
  readonly pattern: string;
  /** What a key must be allowed: one of these, when there are any. */
  readonly verbs: readonly KeyVerb[];
  /** Its query parameters. */
  readonly queryNames: readonly string[];
  /** Those of them that are objects, whose members are each given. */
  readonly queryObjects: readonly string[];
  /** Whether its bodies are multipart/form-data. */
  readonly multipart: boolean;
  /** What answers. */
  readonly answer: Answer;
}

/** The routes of these operations. Throws when an operation has no handler, or a handler no operation. */
export function routesOf(operations: Operations, handlers: Handlers): readonly Route[] {
  for (const id of Object.keys(handlers))
    if (!Object.hasOwn(operations, id)) throw new Error(`no operation is called ${id}`);
  return Object.entries(operations).flatMap(([id, operation]) => {
    if (!Object.hasOwn(handlers, id)) throw new Error(`nothing answers the operation ${id}`);
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
    multipart: body !== undefined && "multipart/form-data" in body.content,
    ...operation,
    id,
    answer,
  };
}
