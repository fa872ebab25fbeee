// The types of an operation's request and response, derived from the table that is generated from the OpenAPI document.

import type { Streamed } from "./bytes.ts";
import type { Operations } from "./operations.ts";

/** An operation of the server: its method and path as in the OpenAPI document, such as `GET /v1/models`. */
export type Operation = keyof Operations;

/** Options of any request. */
export interface RequestOptions {
  /** Aborts the request, or the response while it is read. */
  readonly signal?: AbortSignal | undefined;
  /** Headers in addition to those of the operation. */
  readonly headers?: { readonly [name: string]: string };
}

/** Parameters that are undefined are left out. */
type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };

/** The given part of a request, if the operation has it. */
type Given<O extends Operation, Part extends "path" | "body"> =
  Operations[O] extends Record<Part, infer T>
    ? { readonly [K in Part]: T }
    : Operations[O] extends Partial<Record<Part, infer T>>
      ? { readonly [K in Part]?: T }
      : unknown;

/** The request parts that the operation has. */
type Parameters<O extends Operation, Part extends "query" | "header"> =
  Operations[O] extends Record<Part, infer T>
    ? { readonly [K in Part]: Loose<T> }
    : Operations[O] extends Partial<Record<Part, infer T>>
      ? { readonly [K in Part]?: Loose<T> }
      : unknown;

/** The input of the operation: those of `path`, `query`, `header` and `body` that it has. */
type Input<O extends Operation> = Given<O, "path"> &
  Given<O, "body"> &
  Parameters<O, "query"> &
  Parameters<O, "header"> &
  RequestOptions;

/** The answer of the operation. */
export type Answer<O extends Operation> = Operations[O]["answer"];

/** Operations that answer with JSON or nothing. */
export type Asked = { [O in Operation]: Answer<O> extends Streamed ? never : O }[Operation];

/** Optional if the operation needs no input. */
export type InputOf<O extends Operation> =
  Record<never, never> extends Input<O> ? [input?: Input<O>] : [input: Input<O>];
