export type { Json } from "@assay/base";
