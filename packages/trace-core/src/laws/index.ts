export { callStoreLaws } from "./call-store.ts";
export { feedbackStoreLaws, fileStoreLaws, objectStoreLaws, tableStoreLaws } from "./content-stores.ts";
