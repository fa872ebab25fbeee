export type { Face, OpenApiPart } from "./face.ts";
export type { Authenticate, Principal } from "./principal.ts";
export { type TrainingFaceOptions, trainingFace } from "./training/face.ts";
