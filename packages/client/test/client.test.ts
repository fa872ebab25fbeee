import { Readable } from "node:stream";
import { Fault } from "@assay/base";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { assayClient, Refusal } from "../src/index.ts";

/** A client that records its requests, and gets the same answer to each. */
function recorded(answer: () => Response = () => Response.json({}), apiKey?: string, retries?: number) {
  const requests: Request[] = [];
  const client = assayClient({
    url: "http://assay.test/",
    apiKey,
    retries,
    async fetch(request) {
      requests.push(request);
      return answer();
    },
  });
  return { client, requests };
}

const PROJECT = { entity: "me", project: "a b/c" };

test.each(["127.0.0.1:7777", "localhost:7777", "", "ftp://a", "http://a/?b", undefined])(
  "%j is not a valid address",
  (url) => {
    expect(() => assayClient({ url: url as string })).toThrow(/^url must be an address such as .*, not /);
  },
);

describe("a request", () => {
  test("has no key if it is empty, and keeps the path of a proxy", async () => {
    const { client, requests } = recorded(undefined, "");
    await client.ask("GET /v1/models");
    expect(requests[0]!.headers.has("authorization")).toBe(false);
    expect(assayClient({ url: "https://a.test/assay//" }).url).toBe("https://a.test/assay");
  });

  test("has its path encoded, and its query without undefined parameters", async () => {
    const { client, requests } = recorded();
    await client.ask("DELETE /v2/{entity}/{project}/eval_results/evaluations", {
      path: PROJECT,
      query: { evaluation: ["a&b", "c"] },
    });
    await client.ask("GET /v1/preview/training-jobs", { query: { limit: 3, after: undefined } });
    await client.ask("GET /v1/models");
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "DELETE http://assay.test/v2/me/a%20b%2Fc/eval_results/evaluations?evaluation=a%26b&evaluation=c",
      "GET http://assay.test/v1/preview/training-jobs?limit=3",
      "GET http://assay.test/v1/models",
    ]);
  });

  test.each(["", ".", ".."])(
    'cannot have the path segment "%s", which would change the path',
    async (project) => {
      const { client, requests } = recorded();
      await expect(
        client.ask("DELETE /v2/{entity}/{project}", { path: { entity: "me", project } }),
      ).rejects.toThrow(new TypeError(`project cannot be "${project}": it would change the path`));
      expect(requests).toEqual([]);
    },
  );

  test("streams texts as UTF-8, and refuses a body that is neither text nor bytes", async () => {
    const { client, requests } = recorded();
    const operation = "POST /v2/{entity}/{project}/calls/import";
    const line = '{"id": "é"}\n';
    await client.ask(operation, { path: PROJECT, body: Readable.from([line, line]) });
    expect(await requests[0]!.text()).toBe(line + line);
    const body = [{ id: "a" }] as unknown as string;
    await expect(client.ask(operation, { path: PROJECT, body })).rejects.toThrow(
      "the body must be a text or bytes, as application/x-ndjson, not of type object",
    );
    expect(requests).toHaveLength(1);
  });

  test("has the key, the headers of the operation and a body of its type", async () => {
    const { client, requests } = recorded(undefined, "assay_key");
    const body = { name: "m", project: "p", base_model: "assay/tiny" };
    await client.ask("POST /v1/preview/models", { body, header: { "Idempotency-Key": "once" } });
    await client.ask("POST /v2/{entity}/{project}/calls/import", { path: PROJECT, body: "{}\n{}" });
    const [json, lines] = requests;
    expect(Object.fromEntries(json!.headers)).toEqual({
      authorization: "Bearer assay_key",
      "content-type": "application/json",
      "idempotency-key": "once",
    });
    expect(await json!.json()).toEqual(body);
    expect(lines!.headers.get("content-type")).toBe("application/x-ndjson");
    expect(await lines!.text()).toBe("{}\n{}");
  });

  test("sends bytes as they arrive, and releases them when it is aborted", async () => {
    const { client, requests } = recorded();
    let left = false;
    async function* pieces() {
      try {
        yield Buffer.from("one\n");
        yield Buffer.from("two\n");
      } finally {
        left = true;
      }
    }
    await client.ask("POST /v1/preview/training-data", { body: pieces() });
    const reader = requests[0]!.body!.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe("one\n");
    await reader.cancel();
    expect(left).toBe(true);
  });
});

describe("an answer", () => {
  test("without a body is undefined, and an opened one can be read", async () => {
    const { client } = recorded(() => new Response("a,b\n"));
    const opened = await client.open("GET /v2/{entity}/{project}/calls/export", { path: PROJECT });
    expect(await opened.text()).toBe("a,b\n");
    expect(await recorded(() => new Response(null, { status: 204 })).client.ask("GET /v1/health")).toBe(
      undefined,
    );
  });

  test("that breaks off is a fault, and so is a missing one", async () => {
    const json = { headers: { "content-type": "application/json" } };
    const { client } = recorded(() => new Response('{"data": [', json));
    await expect(client.ask("GET /v1/models")).rejects.toMatchObject({
      code: "unavailable",
      message: "the server at http://assay.test/ closed the connection before the end",
    });
    const nobody = assayClient({ url: "http://127.0.0.1:9" });
    await expect(nobody.ask("GET /v1/models")).rejects.toMatchObject({
      code: "unavailable",
      message: "the server at http://127.0.0.1:9 does not answer",
    });
    const page = new Response("<html>", { headers: { "content-type": "text/html; charset=utf-8" } });
    await expect(recorded(() => page).client.ask("GET /v1/models")).rejects.toMatchObject({
      code: "unavailable",
      message: "the server at http://assay.test/ sent a page instead of an answer",
    });
    const text = new Response("ok", { headers: { "content-type": "text/plain" } });
    await expect(recorded(() => text).client.ask("GET /v1/models")).rejects.toThrow(
      "sent text/plain instead of JSON",
    );
    const stopped = nobody.ask("GET /v1/models", { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ code: "cancelled" });
  });

  test.each([
    [401, "denied"],
    [403, "denied"],
    [404, "missing"],
    [409, "conflict"],
    [422, "conflict"],
    [429, "overloaded"],
    [500, "unavailable"],
    [507, "exhausted"],
  ])("with status %i is a refusal: %s", async (status, code) => {
    const headers = { "retry-after": "2", "x-request-id": "r1" };
    const { client } = recorded(() => Response.json({ detail: "why" }, { status, headers }), undefined, 0);
    const refusal = await client.ask("GET /v1/models").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toBeInstanceOf(Fault);
    expect(refusal).toMatchObject({
      status,
      code,
      message: "why",
      retryAfter: 2,
      requestId: "r1",
      issues: [],
    });
  });

  test.each([
    [{ detail: [{ loc: ["body", "limit"], msg: "is too large", type: "less" }] }, "limit: is too large"],
    [{ error: { message: "no such model" } }, "no such model"],
    [{ message: "Forbidden" }, "Forbidden"],
    [{ error: "unauthorized" }, "unauthorized"],
    [{ detail: [{ msg: "x" }] }, "the server answered 400 and did not say why"],
    [{ detail: [null] }, "the server answered 400 and did not say why"],
    ["<html>", "the server answered 400 and did not say why"],
    [null, "the server answered 400 and did not say why"],
  ])("that refuses with %j has the message: %s", async (body, message) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const { client } = recorded(() => new Response(text, { status: 400 }));
    await expect(client.ask("GET /v1/models")).rejects.toMatchObject({ message });
  });
});

describe("a request that is refused because the server has too much to do", () => {
  const overloaded = (after?: number) =>
    Response.json({}, { status: 429, headers: after === undefined ? {} : { "retry-after": `${after}` } });
  const path = { entity: "me", project: "p" };
  const importing = "POST /v2/{entity}/{project}/calls/import";

  test("is repeated as it was, after the time that the server says", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const answers = [overloaded(7), overloaded(), Response.json({ imported: 1 })];
    const { client, requests } = recorded(() => answers.shift()!);
    const answer = client.ask(importing, { path, body: "{}" });
    await vi.advanceTimersByTimeAsync(6_999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await answer).toEqual({ imported: 1 });
    expect(await Promise.all(requests.map((one) => one.text()))).toEqual(["{}", "{}", "{}"]);
  });

  test("is not repeated more often than asked, after a long time, or if its body is a stream", async () => {
    const refused = async (retries: number | undefined, after: number, body: string | Readable) => {
      const { client, requests } = recorded(() => overloaded(after), undefined, retries);
      await expect(client.ask(importing, { path, body })).rejects.toMatchObject({ status: 429 });
      return requests.length;
    };
    expect(await refused(3, 0.001, "{}")).toBe(4);
    expect(await refused(0, 0.001, "{}")).toBe(1);
    expect(await refused(3, 61, "{}")).toBe(1);
    expect(await refused(3, 0.001, Readable.from(["{}"]))).toBe(1);
  });

  test("can be aborted while it waits", async () => {
    const stop = new AbortController();
    const { client, requests } = recorded(() => overloaded(30));
    const answer = client.ask("GET /v1/models", { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await expect(answer).rejects.toMatchObject({ code: "cancelled" });
    expect(requests).toHaveLength(1);
  });
});
