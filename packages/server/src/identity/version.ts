/**
 * The version, in a module without imports.
 *
 * @packageDocumentation
 */

/** The version of Assay, as in `--version` and `GET /v1/session`. */
export const VERSION = "0.1.0";
