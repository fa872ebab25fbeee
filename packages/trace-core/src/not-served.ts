// Options of Weave's clients that this server does not have. Clients send most of them with every request, and say that
// they do not ask for them: that is taken, and anything else is refused by name.

import { lazySchemas } from "@assay/base/internal";
import { type Type, type } from "arktype";

/** What may be said of them. */
export const notServed: () => {
  /** Of sizes in storage. */
  readonly Sizes: Type<false | null>;
  /** Of the names of users. */
  readonly Usernames: Type<false | null>;
  /** Of who asks. */
  readonly User: Type<null>;
  /** Of the OpenTelemetry span that a call was. */
  readonly Span: Type<null>;
} = lazySchemas(() => ({
  Sizes: type("false|null").describe("false: sizes in storage are not counted"),
  Usernames: type("false|null").describe("false: users have no names"),
  User: type("null").describe("null: the API key identifies the caller"),
  Span: type("null").describe("null: spans are sent to /otel/v1/traces"),
}));
