// A group of routes: one area of the interface, with its operations and their handlers.

import type { Json } from "@assay/base";
import type { Problem } from "../response/problem.ts";
import type { Route } from "./operation.ts";

/** One area of the interface. */
export interface RouteGroup {
  /** Its operations with their handlers. */
  readonly routes: readonly Route[];
  /** The schemas that they refer to, for `#/components/schemas/`. Called once, on first use. */
  readonly schemas?: () => { readonly [name: string]: Json };
  /** Converts a problem, including a thrown one, to the format of its clients. Default: a common format. */
  readonly refuse?: (problem: Problem, request: Request) => Response;
  /** Answers a GET without a route, if it can. */
  readonly fallback?: (request: Request) => Response | undefined;
  /** Called with every error that was answered with a 5xx. Default: the handler's own. */
  readonly onError?: ((error: unknown) => void) | undefined;
}
