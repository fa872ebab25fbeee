/**
 * The laws of the ports of `@assay/tracking-core`: what every implementation must do, as data that any test runner can
 * run.
 *
 * @packageDocumentation
 */
export { trackingStoreLaws } from "./tracking-store.ts";
