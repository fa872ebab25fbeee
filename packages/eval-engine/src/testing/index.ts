/**
 * Random projects and questions to test an execution of queries against the engine's specification, as property tests
 * of fast-check, which you must install. For a store, `@assay/eval-engine/laws` has its laws.
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
