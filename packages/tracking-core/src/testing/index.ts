/**
 * A tracking store in memory, for tests and for services that need not keep data.
 *
 * @packageDocumentation
 */
export { memoryTrackingStore } from "./memory-tracking-store.ts";
