/**
 * Engines with OpenAI-compatible chat completions over HTTP as `ChatProvider`s, from a configuration file.
 *
 * @packageDocumentation
 */
export { readUpstreams, type UpstreamConfig } from "./upstream-config.ts";
export { openUpstreams, type Upstreams } from "./upstreams.ts";
