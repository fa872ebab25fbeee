// Requests that Node's HTTP parser rejects: the client gets a JSON error, even while it is still sending.

import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serveHttp } from "../src/index.ts";

/** Sends all pieces, even if the answer arrives earlier, and returns the answer. */
async function answerTo(...pieces: readonly string[]): Promise<string> {
  const server = await serveHttp({ handler: async () => Response.json({ status: "ok" }), port: 0 });
  onTestFinished(() => server.close());
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  await once(socket, "connect");
  let answer = "";
  let fault: unknown;
  socket.setEncoding("latin1").on("data", (some: string) => {
    answer += some;
  });
  socket.on("error", (error) => {
    fault = error;
  });
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (!socket.closed) await once(socket, "close");
  expect(fault).toBeUndefined();
  return answer;
}

const long = "x".repeat(60_000);

test.each([
  [
    "an address that is too long",
    ["GET /?q=", long, long, " HTTP/1.1\r\nHost: a\r\n\r\n"],
    "431",
    "16384 bytes",
  ],
  ["headers that are too long", ["GET / HTTP/1.1\r\nHost: a\r\nX: ", long, "\r\n\r\n"], "431", "16384 bytes"],
  ["something other than HTTP", ["\u0016\u0003\u0001 no\r\n\r\n", long], "400", "not an HTTP request"],
])("%s", async (_, pieces, status, words) => {
  const answer = await answerTo(...pieces);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toEqual({
    detail: expect.stringContaining(words),
  });
});

test("a valid request is answered", async () => {
  const answer = await answerTo("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(answer).toContain("200 OK");
});
