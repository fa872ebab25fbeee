// Watching evaluations, with polls and time under the test's control, and over HTTP.

import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { keyAuthentication, loopbackAuthentication } from "../src/auth/auth.ts";
import { createHandler } from "../src/handler.ts";
import type { EvaluationProgress, ProgressSource } from "../src/watch/progress.ts";
import { type ProgressUpdate, watchProgress } from "../src/watch/watch.ts";
import { watchRoutes } from "../src/watch/watch-routes.ts";

function at(trial_count: number, ended_at: string | null = null): EvaluationProgress {
  return {
    evaluation_call_id: "a",
    display_name: null,
    started_at: "2026-01-01T00:00:00Z",
    ended_at,
    trial_count,
    scorer_stats: [],
  };
}

/** Returns these states in turn, then repeats the last. */
function sourceOf(states: readonly EvaluationProgress[]): ProgressSource {
  let i = 0;
  return { progress: async () => [states[Math.min(i++, states.length - 1)]!] };
}

async function watched(states: readonly EvaluationProgress[], seconds: number, looks: number) {
  let time = 0;
  const told: ProgressUpdate[] = [];
  const watching = watchProgress(sourceOf(states), {
    project: "acme/demo",
    evaluations: ["a"],
    now: () => time,
    next: async () => {
      time += seconds * 1000;
      return --looks > 0;
    },
  });
  for await (const one of watching) told.push(one);
  return told.map((one) =>
    one?.map(({ trial_count, trials_per_second }) => [trial_count, trials_per_second]),
  );
}

describe("the updates", () => {
  test("start with the state, then have each change with its rate, until all have ended", async () => {
    const states = [at(0), at(4), at(10), at(10, "2026-01-01T00:01:00Z"), at(99)];
    expect(await watched(states, 2, 100)).toEqual([[[0, 0]], [[4, 2]], [[10, 2.5]], [[10, 1.7]]]);
  });

  test("have only keep-alive comments while nothing changes", async () => {
    expect(await watched([at(1)], 1, 20)).toEqual([[[1, 0]], undefined]);
  });

  test("have the rate of the last ten seconds, which falls to zero", async () => {
    const told = await watched([at(0), at(100)], 5, 5);
    expect(told).toEqual([[[0, 0]], [[100, 20]], [[100, 10]], [[100, 0]]]);
  });
});

describe("over HTTP", () => {
  const states = [at(0), at(3), at(3, "2026-01-01T00:01:00Z")];
  const ask = (path: string, authenticate = loopbackAuthentication(), source = sourceOf(states)) =>
    createHandler({ routes: [watchRoutes({ source, authenticate, interval: 1 })] })(
      new Request(`http://localhost/v2/acme/demo/eval_results/watch${path}`),
    );

  test("a stream ends with its server, without reporting that the evaluation has ended", async () => {
    const closing = new AbortController();
    const source = sourceOf([at(3)]);
    const group = watchRoutes({
      source,
      authenticate: loopbackAuthentication(),
      interval: 60_000,
      closing: closing.signal,
    });
    const url = "http://localhost/v2/acme/demo/eval_results/watch?evaluation=a";
    const response = await createHandler({ routes: [group] })(new Request(url));
    closing.abort();
    const text = await response.text();
    expect(text).toContain("event: progress");
    expect(text).not.toContain("event: end");
  });

  test("a stream that ended leaves no listener on its server's signal", async () => {
    const { signal: closing } = new AbortController();
    const source = sourceOf(states);
    const group = watchRoutes({ source, authenticate: loopbackAuthentication(), interval: 1, closing });
    const url = "http://localhost/v2/acme/demo/eval_results/watch?evaluation=a";
    const response = await createHandler({ routes: [group] })(new Request(url));
    expect(getEventListeners(closing, "abort").length).toBe(1);
    await response.text();
    expect(getEventListeners(closing, "abort")).toEqual([]);
  });

  test("events have their data, and the stream an end", async () => {
    const response = await ask("?evaluation=a");
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const events = (await response.text()).trimEnd().split("\n\n");
    expect(events.map((event) => event.split("\n")[0])).toEqual([
      "event: progress",
      "event: progress",
      "event: progress",
      "event: end",
    ]);
    const [, data] = events[1]!.split("\ndata: ");
    expect(JSON.parse(data!)).toMatchObject([{ evaluation_call_id: "a", trial_count: 3 }]);
  });

  test("an invalid request is refused, and so is one without a key", async () => {
    expect((await ask("")).status).toBe(422);
    const many = Array.from({ length: 17 }, (_, i) => `evaluation=${i}`).join("&");
    expect((await ask(`?${many}`)).status).toBe(422);
    expect((await ask("?evaluation=a", keyAuthentication("K"))).status).toBe(401);
  });

  test("a failure before the first event has a status", async () => {
    const source = {
      progress: async () => {
        throw new Error("secret");
      },
    };
    const response = await ask("?evaluation=a", loopbackAuthentication(), source);
    expect([response.status, await response.text()]).toEqual([500, '{"detail":"Internal Server Error"}']);
  });

  test("polling ends when the client disconnects", async () => {
    let looks = 0;
    const source = { progress: async () => [at(++looks)] };
    const response = await ask("?evaluation=a", loopbackAuthentication(), source);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    const seen = looks;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(looks).toBeLessThanOrEqual(seen + 1);
  });
});
