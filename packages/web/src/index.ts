/**
 * The page of Assay as files to serve: `pageFiles` gives what `pageFace` of `@assay/adapters-http` answers with.
 * `@assay/web/page` has the page itself, to embed in another.
 *
 * @packageDocumentation
 */
export { type PageFile, type PageFiles, pageFiles } from "./page-files.ts";
