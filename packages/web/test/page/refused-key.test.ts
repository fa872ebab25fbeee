// The page reports a rejected key as rejected, and does not ask again as if none had been given.

import { expect, test } from "vitest";
import { keyHeadline } from "../../src/page/parts/states.tsx";
import { type Ask, asked, type Refusal } from "../../src/page/transport/ask.ts";
import { httpTransport } from "../../src/page/transport/http-transport.ts";

/** A server that accepts only one key. */
const server: Ask = async ({ headers }) =>
  headers.get("Authorization") === "Bearer right"
    ? Response.json({ projects: [] })
    : Response.json({ detail: "a key is needed" }, { status: 401 });

test("a refused key is distinguished from a missing one", async () => {
  const refusalWith = async (key: string | undefined): Promise<Refusal | undefined> => {
    const ask = httpTransport({ get: () => key, set() {}, forget() {} }, server);
    return asked(ask, "http://assay.invalid/v2/projects").then(
      () => undefined,
      (error: Refusal) => error,
    );
  };
  expect(await refusalWith("right")).toBeUndefined();
  const [none, wrong] = [(await refusalWith(undefined))!, (await refusalWith("wrong"))!];
  expect([none.status, none.hadKey, wrong.status, wrong.hadKey]).toEqual([401, false, 401, true]);
  expect(keyHeadline(none)).toBe("This server requires an API key");
  expect(keyHeadline(wrong)).toMatch(/rejected this API key/);
});
