/**
 * The laws of the ports of `@assay/calls`: what every implementation must do, as data for any test runner.
 *
 * @packageDocumentation
 */
export { callScanLaws } from "./call-scan.ts";
export { callSourceLaws, type WritableCalls } from "./call-source.ts";
export { callWriterLaws } from "./call-writer.ts";
export { rowScanLaws } from "./row-scan.ts";
export { rowSourceLaws, type WritableRows } from "./row-source.ts";
