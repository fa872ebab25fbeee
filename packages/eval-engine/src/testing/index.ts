/**
 * Random projects and questions for property tests of an execution against the engine's specification, with
 * fast-check, which you must install. `@assay/eval-engine/laws` has the laws of stores.
 *
 * @packageDocumentation
 */
export { memorySegments } from "../segment/memory-segments.ts";
export { call, LEAVES, operation, request, type World, world } from "./arbitrary.ts";
export type { Case } from "./case.ts";
export { regressions } from "./regressions.ts";
export { scoredWorld } from "./scored-world.ts";
export {
  ANY_CALLS,
  isPushed,
  type Pools,
  type Questions,
  questions,
  SHARED_ROWS,
} from "./statistics-questions.ts";
