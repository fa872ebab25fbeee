import { describe, expect, test } from "vitest";
import { keyAuthentication, loopbackAuthentication } from "../src/auth/auth.ts";
import { isLoopback } from "../src/auth/loopback.ts";

const at = (url: string, authorization?: string) =>
  new Request(url, { headers: authorization === undefined ? {} : { Authorization: authorization } });
const basic = (user: string, key: string) => `Basic ${Buffer.from(`${user}:${key}`).toString("base64")}`;

describe("a key", () => {
  const authenticate = keyAuthentication("s3cret:key");
  const accepts = async (authorization?: string) =>
    (await authenticate(at("http://example.com/", authorization))) !== undefined;

  test("is valid as Bearer, and as Basic with the user api", async () => {
    expect(await accepts("Bearer s3cret:key")).toBe(true);
    expect(await accepts("bearer  s3cret:key")).toBe(true);
    expect(await accepts(basic("api", "s3cret:key"))).toBe(true);
  });

  test.each([
    [undefined],
    [""],
    ["Bearer"],
    ["Bearer "],
    ["Bearer wrong"],
    ["Bearer s3cret:key more"],
    ["s3cret:key"],
    ["Digest s3cret:key"],
    [basic("root", "s3cret:key")],
    [basic("api", "")],
    ["Basic !!!"],
    [`Basic ${Buffer.from("s3cret:key").toString("base64")}`],
  ])("is not found in %j", async (authorization) => {
    expect(await accepts(authorization)).toBe(false);
  });

  test("must not be empty", () => {
    expect(() => keyAuthentication("")).toThrow("empty");
  });

  test("opens every project to its holder", async () => {
    const principal = await authenticate(at("http://example.com/", "Bearer s3cret:key"));
    expect(principal?.allows("acme", "demo")).toBe(true);
  });
});

describe("without a key", () => {
  test("only requests that name this machine are accepted", async () => {
    const authenticate = loopbackAuthentication();
    for (const url of [
      "http://localhost:7777/",
      "http://127.0.0.1/",
      "http://127.8.9.1/",
      "http://[::1]:7777/",
    ])
      expect(await authenticate(at(url))).toBeDefined();
    for (const url of ["http://evil.example/", "http://10.0.0.1/", "http://localhost.evil.example/"])
      expect(await authenticate(at(url))).toBeUndefined();
  });

  test("loopback hosts are recognised by name and by address", () => {
    expect(["localhost", "LOCALHOST", "127.0.0.1", "::1", "[::1]"].every(isLoopback)).toBe(true);
    expect(["0.0.0.0", "::", "example.com", "127.0.0.1.example.com", ""].some(isLoopback)).toBe(false);
  });
});
