// Requests every route of the built server under random spellings of its path, with every method. Each answer equals
// that of the plain path, or is a 404, so key permissions and all other checks before a route hold for every spelling.

import { Agent, request } from "node:http";
import { raw } from "@assay/testing/raw-request";
import { type AssayServer, builtServer } from "@assay/testing/server";
import fc from "fast-check";
import { expect, test } from "vitest";
import { allRoutes } from "./all-routes.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
const VERBS = ["read", "write", "train", "chat"] as const;
const OWNER = "k".repeat(32);
/** Spellings of each path with each method and key. */
const SPELLINGS = Math.ceil(Number(process.env["ASSAY_RUNS"] ?? 1) / 1000);

/** `path` with some letters percent-encoded, dot segments between its parts, and slashes doubled or appended. */
function spelled(path: string): fc.Arbitrary<string> {
  const letter = (plain: string) => {
    const hex = plain.charCodeAt(0).toString(16).padStart(2, "0");
    return fc.oneof(
      { weight: 4, arbitrary: fc.constant(plain) },
      { weight: 1, arbitrary: fc.constantFrom(`%${hex}`, `%${hex.toUpperCase()}`) },
    );
  };
  const segment = (text: string) => fc.tuple(...[...text].map(letter)).map((letters) => letters.join(""));
  const slash = fc.oneof(
    { weight: 12, arbitrary: fc.constant("/") },
    { weight: 1, arbitrary: fc.constantFrom("//", "/./", "/%2e/", "/x/../", "/x/%2E%2e/", "/x/.%2e/") },
  );
  const parts = path.split("/").slice(1);
  const end = fc.constantFrom("", "", "", "/", "//", "/.", "/%2E", "/x/..");
  return fc
    .tuple(fc.tuple(...parts.map(segment)), fc.tuple(...parts.map(() => slash)), end)
    .map(([segments, slashes, last]) => segments.map((text, i) => slashes[i] + text).join("") + last);
}

/** Mostly valid for the route; otherwise refused before the route answers. */
const QUERY = fc.constantFrom(...Array(7).fill(""), "?limt=3");
const TYPE = fc.constantFrom(...Array(7).fill("application/json"), "text/plain");

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** The status of an answer, and the body of a refusal. Successful answers may differ in their bodies. */
function answerTo(
  server: AssayServer,
  { method, key, type }: { readonly method: string; readonly key: string; readonly type: string },
  path: string,
): Promise<string> {
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(method !== "GET" && method !== "HEAD" && { "Content-Type": type, "Content-Length": 2 }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(`${server.url}`, { path, method, headers, agent }, (response) => {
      let text = "";
      response.on("data", (piece: Buffer) => {
        text += piece;
      });
      response.on("error", reject);
      response.on("end", () => {
        const status = response.statusCode!;
        resolve(status < 400 ? `${status}` : `${status} ${response.headers.allow ?? ""} ${text}`);
      });
    });
    asked.on("error", reject);
    asked.end("Content-Length" in headers ? "{}" : undefined);
  });
}

test("a path is answered like its canonical spelling, whatever the method and the key, or is a 404", async () => {
  const server = await builtServer([], { env: { ASSAY_API_KEY: OWNER } });
  const keyFor = async (can: readonly string[], scope: string): Promise<string> => {
    const body = JSON.stringify({ name: "one", scopes: [scope], can });
    const headers = { Authorization: `Bearer ${OWNER}`, "Content-Type": "application/json" };
    return JSON.parse((await raw(server, "/v1/keys", { method: "POST", headers, body })).body).key;
  };
  // Paths of routes have `x` for each parameter.
  const keys = new Map([
    ...(await Promise.all(VERBS.map(async (verb) => [verb, await keyFor([verb], "x/*")] as const))),
    ["every verb, elsewhere", await keyFor(VERBS, "other/*")],
    ["none", "wrong"],
  ]);
  const has = new Set((await allRoutes()).map(({ method, path }) => `${method} ${path}`));
  const document = JSON.parse((await raw(server, "/openapi.json")).body);
  for (const [path, item] of Object.entries(document.paths as object))
    for (const method of Object.keys(item))
      has.add(`${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "x")}`);

  const paths = [...new Set([...has].map((route) => route.slice(route.indexOf("/"))))];
  const seed = Number(process.env["ASSAY_SEED"] ?? 7);
  const cases = paths.flatMap((path, at) => {
    const asked = METHODS.flatMap((method, i) =>
      // A method that a path does not have is tried with only one key.
      [...keys]
        .filter((_, j) => has.has(`${method} ${path}`) || j === (at + i) % keys.size)
        .map((key) => ({ path, method, key })),
    );
    return fc
      .sample(fc.record({ spelling: spelled(path), query: QUERY, type: TYPE }), {
        numRuns: SPELLINGS * asked.length,
        seed: seed + at,
      })
      .map((rest, i) => ({ ...asked[i % asked.length]!, ...rest }));
  });
  let refused = 0;
  const otherwise: unknown[] = [];
  const waiting = cases.values();
  const asking = async () => {
    for (const { path, method, key, spelling, query, type } of waiting) {
      const asked = { method, key: key[1], type };
      const plain = await answerTo(server, asked, path + query);
      const answer = await answerTo(server, asked, spelling + query);
      if (/^40[13]/.test(plain)) refused++;
      if (answer !== plain && !answer.startsWith("404"))
        otherwise.push({ asked: `${method} ${spelling}${query}`, type, key: key[0], plain, answer });
    }
  };
  await Promise.all(Array.from({ length: 16 }, asking));
  expect(otherwise, `${otherwise.length} of ${cases.length} get a different answer`).toEqual([]);
  expect(refused).toBeGreaterThan(300);
});
