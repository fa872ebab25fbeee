import { connect } from "node:net";
import { Fault } from "@assay/base";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createHandler } from "../src/index.ts";
import { type RunningServer, type ServeOptions, serveHttp } from "../src/server.ts";

const running: RunningServer[] = [];
async function serve(options: ServeOptions): Promise<RunningServer> {
  const server = await serveHttp({ port: 0, ...options });
  running.push(server);
  return server;
}
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

const hello = async () => new Response("hello");

/** A promise, and the function that resolves it. */
function deferred<T = void>() {
  let done!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    done = resolve;
  });
  return { promise, done };
}

describe("a server", () => {
  test("answers on a free port of the loopback address", async () => {
    const { url } = await serve({ handler: hello });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await (await fetch(url)).text()).toBe("hello");
  });

  test("on a port in use is a conflict that names the port", async () => {
    const { url } = await serve({ handler: hello });
    const port = Number(new URL(url).port);
    const failure = await serveHttp({ handler: hello, port }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Fault);
    expect(failure).toMatchObject({ code: "conflict", message: expect.stringContaining(`port ${port}`) });
  });

  test("on an address of another machine is a fault that names the address", async () => {
    const failure = await serveHttp({ handler: hello, host: "192.0.2.1", port: 0 }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "missing", message: expect.stringContaining("192.0.2.1") });
  });

  test("lets a request under way finish when it closes, and accepts no other", async () => {
    const [arrived, release] = [deferred(), deferred()];
    const server = await serveHttp({
      port: 0,
      handler: async () => {
        arrived.done();
        await release.promise;
        return new Response("finished");
      },
    });
    const answer = fetch(server.url).then((response) => response.text());
    await arrived.promise;
    const closed = server.close();
    await expect(fetch(server.url)).rejects.toThrow();
    release.done();
    expect(await answer).toBe("finished");
    await closed;
  });

  test("ends requests under way after the grace period", async () => {
    const arrived = deferred();
    const server = await serveHttp({
      port: 0,
      grace: 1,
      handler: () => {
        arrived.done();
        return new Promise<Response>(() => {});
      },
    });
    const answer = fetch(server.url).catch(() => "cut off");
    await arrived.promise;
    await server.close();
    expect(await answer).toBe("cut off");
  });

  test("tells the handler when the client disconnects, even after the body was read", async () => {
    const [arrived, left] = [deferred(), deferred<string>()];
    const { url } = await serve({
      handler: async (request) => {
        const body = await request.text();
        request.signal.addEventListener("abort", () => left.done(body), { once: true });
        arrived.done();
        await left.promise;
        return new Response("nobody reads this");
      },
    });
    const leaving = new AbortController();
    const answer = fetch(url, { method: "POST", body: "a question", signal: leaving.signal }).catch(() => {});
    await arrived.promise;
    leaving.abort();
    expect(await left.promise).toBe("a question");
    await answer;
  });

  test("cuts off a body that fails, and reports the failure once, without printing it", async () => {
    const failure = new Fault("unavailable", "the store is down");
    const fallback = () => {
      const pieces = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("half")),
        pull: () => Promise.reject(failure),
      });
      return new Response(pieces, { headers: { "transfer-encoding": "chunked" } });
    };
    const errors: unknown[] = [];
    const printed = vi.spyOn(console, "error");
    const handler = createHandler({
      routes: [{ routes: [], fallback }],
      onError: (error) => errors.push(error),
    });
    const { url } = await serve({ handler });
    await expect(fetch(`${url}/half`).then((response) => response.text())).rejects.toThrow("terminated");
    expect(errors).toEqual([failure]);
    expect(printed).not.toHaveBeenCalled();
  });

  test("answers invalid HTTP with a 400, and keeps running", async () => {
    const { url } = await serve({ handler: hello });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("no such thing\r\n\r\n");
    let answer = "";
    for await (const piece of socket) answer += piece;
    expect(answer).toContain("400 Bad Request");
    expect(await (await fetch(url)).text()).toBe("hello");
  });
});
