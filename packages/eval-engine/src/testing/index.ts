/**
 * Random projects and questions to hold an execution of queries against the engine's specification with, as property
 * tests of fast-check, which whoever imports this must have. Of a store, `@assay/eval-engine/laws` says what must hold.
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
