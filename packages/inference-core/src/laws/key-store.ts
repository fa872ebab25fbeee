// The laws of a key store.

import type { Law, Open } from "@assay/base";
import { expectSame, lawsFor } from "@assay/base/internal";
import type { ApiKey } from "../keys/api-key.ts";
import type { KeyStore } from "../keys/key-store.ts";

/** The laws of a `KeyStore`. `open` creates an empty one each time. */
export function keyStoreLaws(open: Open<KeyStore>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("get returns what add stored", async (keys) => {
      const full: ApiKey = {
        ...key("a"),
        expiresAt: 9,
        scopes: [{ entity: "e", project: "*" }],
        verbs: ["read"],
      };
      expectSame(await keys.add(full), true, "add");
      expectSame(await keys.get("a"), full, "get");
      expectSame((await keys.get("b")) ?? "none", "none", "another");
    }),

    law("an id is taken only once, even by two concurrent calls", async (keys) => {
      const won = await Promise.all([keys.add(key("a")), keys.add({ ...key("a"), name: "other" })]);
      expectSame(won.filter(Boolean).length, 1, "kept");
      expectSame(await keys.add(key("a")), false, "add again");
    }),

    law("a revoked key remains, with the time at which it was first revoked", async (keys) => {
      await keys.add(key("a"));
      expectSame(await keys.revoke("a", 5), true, "revoke");
      expectSame(await keys.revoke("a", 7), true, "revoke again");
      expectSame(await keys.get("a"), { ...key("a"), revokedAt: 5 }, "get");
      expectSame(await keys.revoke("b", 5), false, "revoke another");
    }),

    law("list returns the keys in id order, in pages", async (keys) => {
      for (const id of ["c", "a", "d", "b"]) await keys.add(key(id));
      expectSame(
        (await keys.list(3)).map(({ id }) => id),
        ["a", "b", "c"],
        "first page",
      );
      expectSame(
        (await keys.list(3, "c")).map(({ id }) => id),
        ["d"],
        "second page",
      );
      expectSame(await keys.list(3, "d"), [], "third page");
    }),
  ];
}

function key(id: string): ApiKey {
  return { id, hash: `hash of ${id}`, name: id, scopes: [{ entity: "*", project: "*" }], createdAt: 1 };
}
