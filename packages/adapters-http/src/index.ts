export type { Face, OpenApiPart } from "./face.ts";
export { type InferenceFaceOptions, inferenceFace } from "./inference/face.ts";
export type { Authenticate, Principal } from "./principal.ts";
