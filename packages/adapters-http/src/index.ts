/**
 * Assay over HTTP: one function from `Request` to `Response` made of faces that are mounted as they are needed, and
 * `serveHttp` to serve it from Node.
 *
 * @packageDocumentation
 */
export type { AnsweredRequest } from "./answered-request.ts";
export { anyAuthentication, keyAuthentication, loopbackAuthentication } from "./auth.ts";
export { type BackupFaceOptions, backupFace } from "./backup/face.ts";
export { type ArchivedFile, filesOfTar } from "./backup/tar.ts";
export type { BodyLimits } from "./body.ts";
export { type EvalResultsEngine, type EvalResultsFaceOptions, evalResultsFace } from "./eval-results/face.ts";
export type { KnownNames } from "./eval-results/noted.ts";
export {
  type ExportFaceOptions,
  exportFace,
  type PageFileContent,
  type PageFileOptions,
  type TableFormat,
  type TableSource,
} from "./export/face.ts";
export type { Face, OpenApiPart } from "./face.ts";
export { type FineTuningFaceOptions, fineTuningFace } from "./fine-tuning/face.ts";
export { type Around, createHandler, type Handler, type HandlerOptions } from "./handler.ts";
export { type InferenceFaceOptions, inferenceFace } from "./inference/face.ts";
export { storedKeyAuthentication } from "./inference/stored-keys.ts";
export { type KeysFaceOptions, keysFace } from "./keys/face.ts";
export { isLoopback } from "./loopback.ts";
export { type MetricsFaceOptions, metricsFace } from "./metrics/face.ts";
export { nodeListener } from "./node-listener.ts";
export type { StreamLimits } from "./open-streams.ts";
export { type OpenUntilKeyed, openUntilKeyed } from "./open-until-keyed.ts";
export { type OtlpFaceOptions, otlpFace } from "./otlp/face.ts";
export { pageFace } from "./page/face.ts";
export type { PageFile, PageFiles } from "./page/files.ts";
export { type ProjectList, type ProjectsFaceOptions, projectsFace } from "./page/projects-face.ts";
export { type SessionFaceOptions, sessionFace } from "./page/session-face.ts";
export type { Authenticate, Principal } from "./principal.ts";
export type { Problem, ValidationError } from "./problem.ts";
export { chooseEvaluations, type EvaluationChoice } from "./project-data/evaluation-choice.ts";
export {
  type ProjectDataFaceOptions,
  projectDataFace,
  type RemovalReport,
  type RemovedData,
} from "./project-data/face.ts";
export type {
  BadLine,
  ImportReport,
  LineKind,
  ProjectData,
} from "./project-data/project-data.ts";
export { currentRequestId } from "./request-context.ts";
export { type Place, type Room, type RoomOptions, room } from "./room.ts";
export { type RunningServer, type ServeOptions, serveHttp } from "./server.ts";
export { type TrackingFaceOptions, trackingFace } from "./tracking/face.ts";
export { type TrainingFaceOptions, trainingFace } from "./training/face.ts";
export type { SystemChecks } from "./training/system-check.ts";
export { type WatchFaceOptions, watchFace } from "./watch/face.ts";
export type { EvaluationProgress, ProgressSource, WatchedProgress } from "./watch/progress.ts";
export { type WeaveFaceOptions, weaveFace } from "./weave/face.ts";
