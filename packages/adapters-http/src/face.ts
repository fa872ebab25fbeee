// A face: one area of the interface, as routes and as their description.

import type { Json } from "@assay/base";
import type { Hono } from "hono";

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
  /** What they are. Called once, when somebody asks for it. */
  readonly openApi?: () => OpenApiPart;
}
