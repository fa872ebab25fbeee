import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Refusal, readJsonBody } from "../src/request/body.ts";

function request(body: string | Uint8Array | undefined, headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    ...(body !== undefined && { body: body as BodyInit }),
  });
}

async function refusal(asked: Request, limits = {}): Promise<Refusal> {
  const body = await readJsonBody(asked, limits);
  if (body.ok) throw new Error(`read ${JSON.stringify(body.value)}`);
  return body.refusal;
}

const value = { text: "naïve 🙂", list: [1, null, { deep: [] }] };
const json = JSON.stringify(value);

describe("a JSON body", () => {
  test("may be plain, gzipped or deflated", async () => {
    for (const [body, headers] of [
      [json, {}],
      [`\uFEFF${json}`, { "Content-Type": 'application/json; charset="UTF-8"' }],
      [json, { "Content-Type": "application/vnd.acme+json" }],
      [gzipSync(json), { "Content-Encoding": "gzip" }],
      [deflateSync(json), { "Content-Encoding": "deflate" }],
    ] as const) {
      expect(await readJsonBody(request(body, headers))).toEqual({ ok: true, value });
    }
  });

  test("that is not declared as JSON in UTF-8 is a 415 that names the expected type", async () => {
    const form = await refusal(request(json, { "Content-Type": "application/x-www-form-urlencoded" }));
    expect(form).toMatchObject({
      status: 415,
      message: expect.stringContaining("Content-Type: application/json"),
    });
    expect((await refusal(request(new Uint8Array([123, 125]), { "Content-Type": "" }))).status).toBe(415);
    expect(
      (await refusal(request(json, { "Content-Type": "application/json; charset=latin1" }))).status,
    ).toBe(415);
  });

  test("in an unsupported encoding is a 415, and one that is not in its declared encoding is a 400", async () => {
    expect((await refusal(request(brotliCompressSync(json), { "Content-Encoding": "br" }))).status).toBe(415);
    expect((await refusal(request(json, { "Content-Encoding": "gzip" }))).status).toBe(400);
    expect(
      (await refusal(request(gzipSync(json).subarray(0, 20), { "Content-Encoding": "gzip" }))).status,
    ).toBe(400);
  });

  test("is measured after decompression, and before it too if its length is declared", async () => {
    const bomb = gzipSync(JSON.stringify("a".repeat(10_000_000)));
    expect(bomb.length).toBeLessThan(20_000);
    expect((await refusal(request(bomb, { "Content-Encoding": "gzip" }))).status).toBe(413);
    expect((await refusal(request("{}", { "Content-Length": "99999999" }))).status).toBe(413);
    expect((await refusal(request(json), { maxBytes: 10 })).status).toBe(413);
    expect(await readJsonBody(request("[1,2,3,4]"), { maxBytes: 9 })).toEqual({
      ok: true,
      value: [1, 2, 3, 4],
    });
  });

  test("that is nested too deeply is refused before it is parsed; brackets in texts do not count", async () => {
    const deep = `${"[".repeat(300)}${"]".repeat(300)}`;
    expect(await refusal(request(deep))).toMatchObject({
      status: 422,
      issues: [{ code: "value_error", path: ["body"] }],
    });
    const million = "[".repeat(1_000_000);
    expect((await refusal(request(million))).issues[0]?.code).toBe("value_error");
    const text = JSON.stringify([`${"[".repeat(5000)}"\\`]);
    expect((await readJsonBody(request(text))).ok).toBe(true);
    expect((await readJsonBody(request("[[[]]]"), { maxDepth: 3 })).ok).toBe(true);
    expect((await readJsonBody(request("[[[]]]"), { maxDepth: 2 })).ok).toBe(false);
  });

  test.each([
    ["", "missing", ["body"]],
    ["{", "json_invalid", ["body", 1]],
    ['{"a": 1,}', "json_invalid", ["body", 8]],
    ['{"a" 1}', "json_invalid", ["body", 5]],
    ["nope", "json_invalid", ["body"]],
    ["\uFEFF", "json_invalid", ["body", 3]],
  ])("%j is a 422 of type %s", async (text, code, path) => {
    const { status, issues } = await refusal(request(text));
    expect({ status, code: issues[0]?.code, path: issues[0]?.path }).toEqual({ status: 422, code, path });
  });

  test("that is not UTF-8 is a 422 that does not repeat the body", async () => {
    expect((await refusal(request(new Uint8Array([0x22, 0xff, 0x22])))).issues[0]?.code).toBe("json_invalid");
    expect((await refusal(request('{"secret": hunter2}'))).message).not.toContain("hunter2");
  });
});
