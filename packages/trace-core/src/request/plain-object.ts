// Objects in the bodies of requests: JSON objects. Lists do not count, although JavaScript considers them objects.

import { lazySchemas } from "@assay/base/internal";
import { type Type, type } from "arktype";

/** A JSON object. */
export const PlainObject: () => Type<object> = lazySchemas(() =>
  type("object").narrow((value, context) => !Array.isArray(value) || context.mustBe("a JSON object")),
);
