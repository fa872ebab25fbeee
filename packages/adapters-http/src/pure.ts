/**
 * The part of the HTTP interface that runs wherever `Request` and `Response` exist, including a browser's worker: the
 * handler and the faces of evaluation results, without Node APIs.
 *
 * @packageDocumentation
 */
export { type EvalResultsEngine, type EvalResultsFaceOptions, evalResultsFace } from "./eval-results/face.ts";
export type { KnownNames } from "./eval-results/noted.ts";
export type { Face } from "./face.ts";
export { type Around, createHandler, type Handler, type HandlerOptions } from "./handler.ts";
export { type ProjectList, type ProjectsFaceOptions, projectsFace } from "./page/projects-face.ts";
export { type SessionFaceOptions, sessionFace } from "./page/session-face.ts";
export type { Authenticate, Principal } from "./principal.ts";
export { type ProjectDataFaceOptions, projectDataFace } from "./project-data/face.ts";
