/**
 * The part of the HTTP interface that runs wherever `Request` and `Response` exist, including a browser's worker: the
 * handler and the routes of evaluation results, without Node APIs.
 *
 * @packageDocumentation
 */

export {
  type EvalResultsEngine,
  type EvalResultsRoutesOptions,
  evalResultsRoutes,
} from "./eval-results/eval-results-routes.ts";
export type { KnownNames } from "./eval-results/notes-header.ts";
export { type Around, createHandler, type Handler, type HandlerOptions } from "./handler.ts";
export {
  type ProjectList,
  type ProjectListRoutesOptions,
  projectListRoutes,
} from "./page/project-list-routes.ts";
export { type SessionRoutesOptions, sessionRoutes } from "./page/session-routes.ts";
export { type ProjectDataRoutesOptions, projectDataRoutes } from "./project-data/project-data-routes.ts";
export type { Authenticate, Principal } from "./request/principal.ts";
export type { RouteGroup } from "./routing/route-group.ts";
