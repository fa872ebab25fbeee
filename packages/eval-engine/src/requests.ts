/**
 * Request bodies for servers: their JSON Schemas for an OpenAPI document, and their issues before any data is read.
 * Separate from the engine, so that a process that only queries does not load them.
 *
 * @packageDocumentation
 */
export { requestSchema } from "./query/request.ts";
export { statisticsSchema } from "./statistics/body-schema.ts";
export { statisticsIssues } from "./statistics/statistics.ts";
export { viewIssues } from "./view/view.ts";
export { viewSchema } from "./view/wire/body.ts";
