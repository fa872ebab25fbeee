/**
 * The bodies of requests for those who serve them: as JSON Schema for an OpenAPI document, and what is wrong with one
 * before anything is read for it. Apart from the engine, which a page that only queries loads without them.
 *
 * @packageDocumentation
 */
export { requestSchema } from "./query/request.ts";
export { statisticsSchema } from "./statistics/body-schema.ts";
export { statisticsIssues } from "./statistics/statistics.ts";
export { viewSchema } from "./view/body.ts";
export { viewIssues } from "./view/view.ts";
