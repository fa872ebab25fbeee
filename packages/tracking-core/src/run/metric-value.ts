// The value of a metric in a line of a history. The names of metrics in objects contain dots.

import { isJsonObject } from "@assay/base/internal";

type Fields = { readonly [name: string]: unknown };

/** The value under `name`, or under its parts, as in `loss.train`; undefined if there is none. */
export function metricValue(line: Fields, name: string): unknown {
  if (Object.hasOwn(line, name)) return line[name];
  let value: unknown = line;
  for (const part of name.split(".")) {
    if (!isJsonObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** The names of all metrics in a line. An object with a `_type`, such as an image, is one value. */
export function* metricNames(line: Fields, before = ""): Iterable<string> {
  for (const [name, value] of Object.entries(line)) {
    if (isJsonObject(value) && !Object.hasOwn(value, "_type") && before.length < LONGEST_NAME)
      yield* metricNames(value, `${before}${name}.`);
    else yield before + name;
  }
}

/** The longest name before names of its parts are no longer read: few lines would have too many. */
const LONGEST_NAME = 1024;
