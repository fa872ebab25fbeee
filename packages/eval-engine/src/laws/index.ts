export { callSourceLaws, type WritableCalls } from "./call-source.ts";
export { executionLaws, type FedExecution } from "./execution.ts";
export { rowSourceLaws, type WritableRows } from "./row-source.ts";
export { segmentStoreLaws } from "./segment-store.ts";
