// The laws of a key store.

import { type Law, lawsFor, type Open } from "@assay/base";
import type { ApiKey } from "../api-key.ts";
import type { KeyStore } from "../ports/key-store.ts";
import { same } from "./agree.ts";

/** The laws of a `KeyStore`. `open` makes an empty one each time. */
export function keyStoreLaws(open: Open<KeyStore>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("get returns what add kept", async (keys) => {
      const full: ApiKey = { ...key("a"), expiresAt: 9, scopes: [{ entity: "e", project: "*" }] };
      same(await keys.add(full), true, "add");
      same(await keys.get("a"), full, "get");
      same((await keys.get("b")) ?? "none", "none", "another");
    }),

    law("an id is taken once, also by two at the same time", async (keys) => {
      const won = await Promise.all([keys.add(key("a")), keys.add({ ...key("a"), name: "other" })]);
      same(won.filter(Boolean).length, 1, "kept");
      same(await keys.add(key("a")), false, "add again");
    }),

    law("a revoked key stays, with the time at which it was first revoked", async (keys) => {
      await keys.add(key("a"));
      same(await keys.revoke("a", 5), true, "revoke");
      same(await keys.revoke("a", 7), true, "revoke again");
      same(await keys.get("a"), { ...key("a"), revokedAt: 5 }, "get");
      same(await keys.revoke("b", 5), false, "revoke another");
    }),

    law("list gives the keys in id order, in pages", async (keys) => {
      for (const id of ["c", "a", "d", "b"]) await keys.add(key(id));
      same(
        (await keys.list(3)).map(({ id }) => id),
        ["a", "b", "c"],
        "first page",
      );
      same(
        (await keys.list(3, "c")).map(({ id }) => id),
        ["d"],
        "second page",
      );
      same(await keys.list(3, "d"), [], "third page");
    }),
  ];
}

function key(id: string): ApiKey {
  return { id, hash: `hash of ${id}`, name: id, scopes: [{ entity: "*", project: "*" }], createdAt: 1 };
}
