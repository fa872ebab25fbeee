/**
 * The page of Assay as files to serve: `pageFiles` for `pageRoutes` of `@assay/adapters-http`; and as one file that
 * contains its data: `exportedPage`. `@assay/web/page` has the page itself, for embedding.
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
