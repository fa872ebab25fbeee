export {
  readUpstreams,
  type UpstreamConfig,
  type UpstreamModel,
  type UpstreamTimeouts,
} from "./upstream-config.ts";
export { openUpstreams, type UpstreamOptions, type UpstreamReport, type Upstreams } from "./upstreams.ts";
