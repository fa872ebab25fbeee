export { keyAuthentication } from "./auth.ts";
export type { Authenticate, Principal } from "./principal.ts";
export { type WeaveFaceOptions, weaveFace } from "./weave/face.ts";
