import { describe, expect, onTestFinished, test, vi } from "vitest";
import { OPERATIONS as FINE_TUNING } from "../src/fine-tuning/operations.ts";
import { memoryBudget } from "../src/request/memory-budget.ts";
import { openStreams } from "../src/response/open-streams.ts";
import { streamResponse } from "../src/response/stream-response.ts";
import { OPERATIONS as TRACKING } from "../src/tracking/operations.ts";
import { OPERATIONS as TRAINING } from "../src/training/operations.ts";

const authenticate = async (request: Request) => ({
  id: request.headers.get("authorization") ?? "",
  allows: () => true,
});
const of = (key: string) => new Request("http://localhost/watch", { headers: { Authorization: key } });

function endless(made: { pieces: number; ended: boolean }): () => Promise<Response> {
  async function* pieces() {
    try {
      for (;;) {
        made.pieces++;
        yield new Uint8Array(1024);
      }
    } finally {
      made.ended = true;
    }
  }
  return () => streamResponse(pieces(), "text/event-stream");
}

async function opened(stream: ReturnType<typeof openStreams>, key: string, answer: () => Promise<Response>) {
  const response = await stream(of(key), answer);
  if (response instanceof Response) return response;
  return new Response(String(response.detail), response as ResponseInit);
}

describe("open streams", () => {
  test("are counted for each key, and released when they are abandoned", async () => {
    const stream = openStreams({ authenticate, maxOfKey: 1 });
    const made = { pieces: 0, ended: false };
    const first = await opened(stream, "a", endless(made));
    expect((await opened(stream, "a", endless(made))).status).toBe(429);
    expect((await opened(stream, "b", endless(made))).status).toBe(200);
    await first.body!.cancel();
    expect((await opened(stream, "a", endless(made))).status).toBe(200);
  });

  test("a refusal, and an answer that was read to its end, leave nothing open", async () => {
    const stream = openStreams({ authenticate, maxOfKey: 1 });
    for (const status of [404, 200, 200]) {
      const response = await opened(stream, "a", async () => new Response("text", { status }));
      expect([response.status, await response.text()]).toEqual([status, "text"]);
    }
  });

  test("buffer at most one chunk ahead of the reader", async () => {
    const made = { pieces: 0, ended: false };
    const response = await opened(openStreams({ authenticate }), "a", endless(made));
    const reader = response.body!.getReader();
    await reader.read();
    expect(made.pieces).toBe(1);
    await reader.read();
    expect(made.pieces).toBe(2);
    await reader.cancel();
  });

  test("break off once their key is no longer valid, which is checked at most once a second", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let checks = 0;
    const made = { pieces: 0, ended: false };
    const revoked = new Set<string>();
    const stream = openStreams({
      authenticate: async (request) => {
        checks++;
        const principal = await authenticate(request);
        return revoked.has(principal.id) ? undefined : principal;
      },
      maxOfKey: 1,
    });
    for (const kind of [undefined, "large", "small"] as const) {
      made.ended = false;
      revoked.clear();
      const response = (await stream(of("a"), endless(made), kind)) as Response;
      const reader = response.body!.getReader();
      checks = 0;
      for (let chunk = 0; chunk < 10; chunk++) expect((await reader.read()).done).toBe(false);
      expect(checks).toBe(0);
      revoked.add("a");
      vi.advanceTimersByTime(1000);
      await expect(reader.read()).rejects.toThrow("the key of the stream is no longer valid");
      expect(made.ended).toBe(true);
    }
    revoked.clear();
    expect((await opened(stream, "a", endless(made))).status).toBe(200);
  });

  test("are cut off when clients stop reading", async () => {
    const made = { pieces: 0, ended: false };
    const stream = openStreams({ authenticate, maxOfKey: 1, patience: 20 });
    const reader = (await opened(stream, "a", endless(made))).body!.getReader();
    await reader.read();
    await expect(reader.closed).rejects.toThrow("the stream was not read for 0.02 s");
    expect(made.ended).toBe(true);
    expect((await opened(stream, "a", endless(made))).status).toBe(200);
  });
});

/** Downloads that do not count, and why. */
const UNCOUNTED: ReadonlyMap<string, string> = new Map([
  ["wandbDownload", "a signed address names no key"],
  ["fetch_job_file", "workers of many machines share a key"],
]);

test("a download of a stored file counts as a stream", () => {
  const operations = Object.entries({ ...FINE_TUNING, ...TRACKING, ...TRAINING });
  const downloads = operations.filter(([, { answers = {} }]) =>
    JSON.stringify(answers["200"] ?? {}).includes("application/octet-stream"),
  );
  expect(downloads.length).toBeGreaterThan(4);
  for (const [id, { stream }] of downloads) expect(stream !== undefined, id).toBe(!UNCOUNTED.has(id));
});

describe("streams of all keys", () => {
  test("are limited together, in number and in memory", async () => {
    const made = { pieces: 0, ended: false };
    const two = openStreams({ authenticate, maxOfAll: 2 });
    await opened(two, "a", endless(made));
    const second = await opened(two, "b", endless(made));
    expect((await opened(two, "c", endless(made))).status).toBe(429);
    await second.body!.cancel();
    expect((await opened(two, "c", endless(made))).status).toBe(200);

    const memory = memoryBudget(3 * 2 ** 20);
    const body = memory.reserve("bodies");
    expect(body.take(2 * 2 ** 20)).toBe(true);
    const stream = openStreams({ authenticate, memory });
    expect((await opened(stream, "a", endless(made))).status).toBe(200);
    expect((await opened(stream, "b", endless(made))).status).toBe(429);
    body.release();
    expect((await opened(stream, "b", endless(made))).status).toBe(200);
  });

  test("count as one in sixteen if they are small, and not at all if the answer is not a stream", async () => {
    const made = { pieces: 0, ended: false };
    const stream = openStreams({ authenticate, maxOfKey: 1 });
    const chat = (answer: () => Promise<Response>) => stream(of("a"), answer, "small");
    for (let i = 0; i < 16; i++) {
      expect(await chat(async () => Response.json({}))).toMatchObject({ status: 200 });
      expect(await chat(endless(made))).toBeInstanceOf(Response);
    }
    expect(await chat(endless(made))).toMatchObject({
      status: 429,
      detail: expect.stringContaining("this key has 1 streams open"),
    });
  });
});
