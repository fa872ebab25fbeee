/**
 * The laws of the ports of `@assay/tracking-core`: what every implementation must do, as data for any test runner.
 *
 * @packageDocumentation
 */
export { trackingStoreLaws } from "./tracking-store.ts";
