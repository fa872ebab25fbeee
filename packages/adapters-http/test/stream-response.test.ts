import { keyedSemaphore } from "@assay/base/internal";
import { expect, test } from "vitest";
import { asPartOf, setRequestOwner } from "../src/request-context.ts";
import { streamResponse } from "../src/response/stream-response.ts";

async function* inMemory(made: () => void): AsyncGenerator<Uint8Array> {
  for (;;) {
    made();
    yield new Uint8Array(1);
  }
}

test("events are handled between two chunks, even if each is produced without waiting", async () => {
  const pieces = keyedSemaphore(1);
  const request = new Request("http://localhost/");
  let made = 0;
  const opened = Array.from({ length: 64 }, (_, i) =>
    asPartOf(`${i}`, () => {
      setRequestOwner({ key: "one", pieces, request });
      return streamResponse(
        inMemory(() => made++),
        "text/plain",
      );
    }),
  );
  const before: number[] = [];
  while (made < 64) {
    await new Promise((resolve) => setImmediate(resolve));
    before.push(made);
  }
  await Promise.all(opened);
  const steps = before.map((count, i) => count - (before[i - 1] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(2);
});
