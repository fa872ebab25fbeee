/**
 * The version, apart from everything else, so that it loads nothing more.
 *
 * @packageDocumentation
 */

/** The version of Assay, as `--version` and `GET /v1/session` say it. */
export const VERSION = "0.1.0";
