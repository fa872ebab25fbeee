// A face: one area of the interface, as operations with what answers them.

import type { Json } from "@assay/base";
import type { Route } from "./operation.ts";
import type { Problem } from "./problem.ts";

/** One area of the interface. */
export interface Face {
  /** Its operations, each with what answers it. */
  readonly routes: readonly Route[];
  /** The schemas that they name, for `#/components/schemas/`. Called once, when someone asks for them. */
  readonly schemas?: () => { readonly [name: string]: Json };
  /** A problem in the form that its clients read, also one that an answer has thrown. By default one for all of them. */
  readonly refuse?: (problem: Problem, request: Request) => Response;
  /** Told of every error that was answered with a 5xx. Default: whom the handler tells. */
  readonly onError?: ((error: unknown) => void) | undefined;
}
