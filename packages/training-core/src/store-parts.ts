/**
 * What stores of training jobs are made with, apart from the readers of requests and their schemas, so that opening a
 * store loads nothing more.
 *
 * @packageDocumentation
 */
export { hasEnded, statusOf } from "./job/job.ts";
