/**
 * The page of Assay as files to serve: `pageFiles` gives what `pageFace` of `@assay/adapters-http` answers with; and as
 * one file with its data inside: `exportedPage`.
 * `@assay/web/page` has the page itself, to embed in another.
 *
 * @packageDocumentation
 */
export {
  type ExportedPage,
  type ExportedPageOptions,
  type ExportedPageParts,
  exportedPage,
} from "./exported-page.ts";
export { type PageFiles, pageFiles } from "./page-files.ts";
