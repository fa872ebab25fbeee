/**
 * Parts for building stores of training jobs. Separate from the readers of requests and their schemas, so that opening
 * a store does not load them.
 *
 * @packageDocumentation
 */
export { hasEnded, statusOf } from "./job/job.ts";
