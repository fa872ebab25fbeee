/**
 * The laws of the ports of `@assay/trace-core`: what every implementation must do, as data for any test runner.
 *
 * @packageDocumentation
 */
export { callStoreLaws } from "./call-store.ts";
export {
  costStoreLaws,
  feedbackStoreLaws,
  fileStoreLaws,
  objectStoreLaws,
  tableStoreLaws,
} from "./content-stores.ts";
