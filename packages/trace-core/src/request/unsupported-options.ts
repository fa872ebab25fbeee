// Options of Weave's clients that this server does not support. Clients send most of them with every request, with
// values that do not request the feature. These values are accepted; any others are refused by name.

import { lazySchemas } from "@assay/base/internal";
import { type Type, type } from "arktype";

/** The only allowed values of parameters for features that are not served. */
export const unsupportedOptions: () => {
  /** Sizes in storage. */
  readonly Sizes: Type<false | null>;
  /** Names of users. */
  readonly Usernames: Type<false | null>;
  /** The requesting user. */
  readonly User: Type<null>;
  /** The OpenTelemetry span of a call. */
  readonly Span: Type<null>;
} = lazySchemas(() => ({
  Sizes: type("false|null").describe("false: sizes in storage are not counted"),
  Usernames: type("false|null").describe("false: users have no names"),
  User: type("null").describe("null: the API key identifies the caller"),
  Span: type("null").describe("null: spans are sent to /otel/v1/traces"),
}));
