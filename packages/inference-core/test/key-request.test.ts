import { describe, expect, test } from "vitest";
import { printKeyScope, readKeyRequest, readKeyScope } from "../src/keys/key-request.ts";

const NOW = 1_700_000_000_000;

describe("readKeyScope", () => {
  test.each(["team/demo", "team/*", "*", "tëam/my project"])("%s is read and printed", (text) => {
    const scope = readKeyScope(text);
    expect(scope).toBeDefined();
    expect(scope && printKeyScope(scope)).toBe(text);
  });

  test("*/* is the same as *", () => {
    expect(readKeyScope("*/*")).toEqual(readKeyScope("*"));
  });

  test.each(["", "team", "team/", "/demo", "team/demo/x", "*/demo", "a:b/c", "te\nam/demo"])(
    "%j is not a scope",
    (text) => {
      expect(readKeyScope(text)).toBeUndefined();
    },
  );
});

describe("readKeyRequest", () => {
  test("reads the scopes and verbs of a key", () => {
    const raw = { name: "ci", scopes: ["team/demo", "*"], expires_at: NOW / 1000 + 60 };
    expect(readKeyRequest(raw, NOW)).toEqual({
      ok: true,
      value: {
        name: "ci",
        scopes: [
          { entity: "team", project: "demo" },
          { entity: "*", project: "*" },
        ],
        expiresAt: NOW + 60_000,
      },
    });
    expect(readKeyRequest({ name: "ci", scopes: ["*"], expires_at: null }, NOW)).toMatchObject({ ok: true });
  });

  test("reports all faults at once", () => {
    const raw = { name: "", scopes: ["team/demo", "team", 7], expires_at: NOW / 1000, role: "admin" };
    const read = readKeyRequest(raw, NOW);
    expect(read.ok ? [] : read.issues.map(({ code, path }) => [code, path.join(".")])).toEqual([
      ["unknown", "role"],
      ["invalid", "name"],
      ["invalid", "scopes.1"],
      ["invalid", "scopes.2"],
      ["invalid", "expires_at"],
    ]);
  });

  test.each([
    [{}],
    [{ name: "a", scopes: [] }],
    [{ name: "a", scopes: Array(101).fill("*") }],
    ["x"],
    [null],
  ])("%j is not a request", (raw) => {
    expect(readKeyRequest(raw, NOW).ok).toBe(false);
  });

  test.each(["soon", -5, 1e300, Number.NaN, 1.5])("a key cannot expire at %s", (expires_at) => {
    expect(readKeyRequest({ name: "a", scopes: ["*"], expires_at }, NOW).ok).toBe(false);
  });
});
