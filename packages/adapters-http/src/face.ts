// A face: one area of the interface, as routes and as their description.

import type { Json } from "@assay/base";
import type { KeyVerb } from "@assay/inference-core";
import type { Hono } from "hono";
import type { Problem } from "./problem.ts";

/** Part of an OpenAPI document. */
export interface OpenApiPart {
  /** Path items by path. */
  readonly paths: { readonly [path: string]: Json };
  /** Schemas by name, for `#/components/schemas/`. */
  readonly schemas: { readonly [name: string]: Json };
}

/** One area of the interface. */
export interface Face {
  /** Its routes, at their full paths. */
  readonly app: Hono;
  /** The query parameters of its routes, as in `"GET /v1/keys": ["after"]`; a route that is not here takes none. */
  readonly parameters?: { readonly [route: string]: readonly string[] };
  /** Its routes whose bodies are multipart/form-data, as in `POST /file/create`. No other takes what a form can send. */
  readonly multipart?: readonly string[];
  /**
   * Its routes whose answers go on for as long as they are read: a key has a share of them, and beyond it the route is
   * not asked. Other answers that are written piece by piece count too once they are made.
   */
  readonly streams?: readonly string[];
  /** Its routes whose answers are streams that hold little, as a chat's do: sixteen of them count as one. */
  readonly smallStreams?: readonly string[];
  /**
   * What a key must be allowed for a route: one of these verbs, or none of them when the list is empty. Default: `read`
   * for GET, else `write`.
   */
  readonly verbs?: { readonly [route: string]: readonly KeyVerb[] };
  /** A problem in the form that its clients read. By default one for all of them. */
  readonly refuse?: (problem: Problem) => Response;
  /** What they are. Called once, when somebody asks for it. */
  readonly openApi?: () => OpenApiPart;
}
