/**
 * Assay over HTTP: a function from `Request` to `Response`, combined from the faces you need, and `serveHttp` to serve
 * it from Node.
 *
 * @packageDocumentation
 */
export { anyAuthentication, keyAuthentication, loopbackAuthentication } from "./auth.ts";
export type { ArchivedFile } from "./backup/tar.ts";
export { evalResultsFace } from "./eval-results/face.ts";
export { exportFace } from "./export/face.ts";
export type { Face } from "./face.ts";
export { fineTuningFace } from "./fine-tuning/face.ts";
export { createHandler, type Handler, type HandlerOptions } from "./handler.ts";
export { inferenceFace } from "./inference/face.ts";
export { storedKeyAuthentication } from "./inference/stored-keys.ts";
export { keysFace } from "./keys/face.ts";
export { metricsFace } from "./metrics/face.ts";
export { nodeListener } from "./node-listener.ts";
export { openUntilKeyed } from "./open-until-keyed.ts";
export {
  type Answer,
  type Handlers,
  type Operation,
  type Operations,
  type Route,
  type RouteRequest,
  routesOf,
} from "./operation.ts";
export { otlpFace } from "./otlp/face.ts";
export { pageFace } from "./page/face.ts";
export { projectsFace } from "./page/projects-face.ts";
export { sessionFace } from "./page/session-face.ts";
export type { Authenticate, Principal } from "./principal.ts";
export { projectDataFace } from "./project-data/face.ts";
export type { ProjectData } from "./project-data/project-data.ts";
export { currentRequestId } from "./request-context.ts";
export { type RunningServer, type ServeOptions, serveHttp } from "./server.ts";
export { trackingFace } from "./tracking/face.ts";
export { trainingFace } from "./training/face.ts";
export { watchFace } from "./watch/face.ts";
export type { ProgressSource } from "./watch/progress.ts";
export { weaveFace } from "./weave/face.ts";
