// What the bodies of requests call an object: JSON's, which a list is not, though JavaScript calls both objects.

import { lazySchemas } from "@assay/base/internal";
import { type Type, type } from "arktype";

/** A JSON object. */
export const PlainObject: () => Type<object> = lazySchemas(() =>
  type("object").narrow((value, context) => !Array.isArray(value) || context.mustBe("a JSON object")),
);
