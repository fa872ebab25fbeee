/**
 * Assay over HTTP: a function from `Request` to `Response`, combined from the groups of routes you need, and `serveHttp` to serve
 * it from Node.
 *
 * @packageDocumentation
 */
export { anyAuthentication, keyAuthentication, loopbackAuthentication } from "./auth/auth.ts";
export { bootstrapAccess } from "./auth/bootstrap-access.ts";
export { storedKeyAuthentication } from "./auth/stored-keys.ts";
export type { ArchivedFile } from "./backup/tar.ts";
export { evalResultsRoutes } from "./eval-results/eval-results-routes.ts";
export { exportRoutes } from "./export/export-routes.ts";
export { fineTuningRoutes } from "./fine-tuning/fine-tuning-routes.ts";
export { createHandler, type Handler, type HandlerOptions } from "./handler.ts";
export { inferenceRoutes } from "./inference/inference-routes.ts";
export { keyRoutes } from "./keys/key-routes.ts";
export { metricsRoutes } from "./metrics/metrics-routes.ts";
export { nodeListener } from "./node-listener.ts";
export { otlpRoutes } from "./otlp/otlp-routes.ts";
export { pageRoutes } from "./page/page-routes.ts";
export { projectListRoutes } from "./page/project-list-routes.ts";
export { sessionRoutes } from "./page/session-routes.ts";
export type { ProjectData } from "./project-data/project-data.ts";
export { projectDataRoutes } from "./project-data/project-data-routes.ts";
export type { Authenticate, Principal } from "./request/principal.ts";
export { currentRequestId } from "./request-context.ts";
export {
  type Answer,
  type Handlers,
  type Operation,
  type Operations,
  type Route,
  type RouteRequest,
  routesOf,
} from "./routing/operation.ts";
export type { RouteGroup } from "./routing/route-group.ts";
export { type RunningServer, type ServeOptions, serveHttp } from "./server.ts";
export { trackingRoutes } from "./tracking/tracking-routes.ts";
export { trainingRoutes } from "./training/training-routes.ts";
export type { ProgressSource } from "./watch/progress.ts";
export { watchRoutes } from "./watch/watch-routes.ts";
export { weaveRoutes } from "./weave/weave-routes.ts";
