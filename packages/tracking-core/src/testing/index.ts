/**
 * A tracking store for tests and for services that may forget.
 *
 * @packageDocumentation
 */
export { memoryTrackingStore } from "./memory-tracking-store.ts";
