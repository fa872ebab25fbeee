// Numbers in requests. JSON can contain larger numbers than a double: they read as infinite, and would be stored as
// null, which means the default.

import { lazySchemas } from "@assay/base/internal";
import { type Type, type } from "arktype";

/** A number that a double holds. */
export const Finite: () => Type<number> = lazySchemas(() => type("number").narrow(Number.isFinite));
