/**
 * Engines that speak OpenAI's chat completions over HTTP as `ChatProvider`s, from a configuration file.
 *
 * @packageDocumentation
 */
export {
  readUpstreams,
  type UpstreamConfig,
  type UpstreamModel,
  type UpstreamTimeouts,
} from "./upstream-config.ts";
export { openUpstreams, type UpstreamOptions, type UpstreamReport, type Upstreams } from "./upstreams.ts";
