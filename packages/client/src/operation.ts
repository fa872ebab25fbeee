// What a request of an operation is made of and what answers it, read off the table that is written from the OpenAPI document.

import type { Streamed } from "./bytes.ts";
import type { Operations } from "./operations.ts";

/** An operation of the server: its method and its path as in the OpenAPI document, such as `GET /v1/models`. */
export type Operation = keyof Operations;

/** What can be said of any request. */
export interface RequestOptions {
  /** Ends the request, and the answer that is being read, when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Headers besides those of the operation. */
  readonly headers?: { readonly [name: string]: string };
}

/** A parameter that is undefined is left out. */
type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };

/** The part of a request that the operation has, as the table says it. */
type Given<O extends Operation, Part extends "path" | "body"> =
  Operations[O] extends Record<Part, infer T>
    ? { readonly [K in Part]: T }
    : Operations[O] extends Partial<Record<Part, infer T>>
      ? { readonly [K in Part]?: T }
      : unknown;

/** The parameters of a request that the operation has. */
type Parameters<O extends Operation, Part extends "query" | "header"> =
  Operations[O] extends Record<Part, infer T>
    ? { readonly [K in Part]: Loose<T> }
    : Operations[O] extends Partial<Record<Part, infer T>>
      ? { readonly [K in Part]?: Loose<T> }
      : unknown;

/** What a request of the operation says: `path`, `query`, `header` and `body`, as far as the operation has them. */
type Input<O extends Operation> = Given<O, "path"> &
  Given<O, "body"> &
  Parameters<O, "query"> &
  Parameters<O, "header"> &
  RequestOptions;

/** What the operation answers with. */
export type Answer<O extends Operation> = Operations[O]["answer"];

/** Operations whose answer is JSON, or nothing. */
export type Asked = { [O in Operation]: Answer<O> extends Streamed ? never : O }[Operation];

/** Left out altogether when nothing of it must be said. */
export type InputOf<O extends Operation> =
  Record<never, never> extends Input<O> ? [input?: Input<O>] : [input: Input<O>];
