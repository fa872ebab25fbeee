// Answers that go on for as long as somebody reads them: how many of them a key may have open, and how long one stays
// that nobody reads. Never makes a piece that was not asked for.

import { Fault } from "@assay/base";
import type { Authenticate } from "./principal.ts";
import type { Problem } from "./problem.ts";

/** How much of answers that are streams may be open. */
export interface StreamLimits {
  /** Who is asking: each key has its own share. */
  readonly authenticate: Authenticate;
  /** Streams that one key may have open at once; beyond them the answer is 429. Default 64. */
  readonly maxOfKey?: number | undefined;
  /** Milliseconds after which a stream that is not read on is cut off. Default 300,000. */
  readonly patience?: number | undefined;
}

const MAX_OF_KEY = 64;
const PATIENCE = 300_000;

/** Answers a request whose answer may be a stream, or says why it does not. */
export type OpenStream = (request: Request, answer: () => Promise<Response>) => Promise<Response | Problem>;

/** Counts streams from the request until the last piece was taken, or the client has left. */
export function openStreams({
  authenticate,
  maxOfKey = MAX_OF_KEY,
  patience = PATIENCE,
}: StreamLimits): OpenStream {
  const open = new Map<string, number>();

  const enter = (key: string): (() => void) => {
    open.set(key, (open.get(key) ?? 0) + 1);
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      const left = open.get(key)! - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    };
  };

  return async (request, answer) => {
    const principal = await authenticate(request);
    // Who may not ask is told so by the route.
    if (principal === undefined) return answer();
    if ((open.get(principal.id) ?? 0) >= maxOfKey) return tooMany(request, maxOfKey);
    const leave = enter(principal.id);
    try {
      const response = await answer();
      if (!response.ok || response.body === null) {
        leave();
        return response;
      }
      const { status, headers } = response;
      return new Response(readWithin(response.body, patience, leave), { status, headers });
    } catch (error) {
      leave();
      throw error;
    }
  };
}

function tooMany(request: Request, most: number): Problem {
  const { pathname } = new URL(request.url);
  const detail = `${pathname} would be open beside ${most} other streams of this key, and no more may be: read or close one of its watches, event streams or exports first`;
  return { status: 429, detail, headers: { "Retry-After": "5" } };
}

/** `source`, asked for a piece when one is taken, and cut off when nobody takes the next. `ended` is called once or more. */
function readWithin(
  source: NonNullable<Response["body"]>,
  patience: number,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(timer);
    ended();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(timer);
        try {
          const { done, value } = await reader.read();
          if (done) {
            end();
            controller.close();
            return;
          }
          controller.enqueue(value);
        } catch (error) {
          end();
          throw error;
        }
        timer = setTimeout(() => {
          end();
          const fault = new Fault("cancelled", `nobody has read on for ${patience / 1000} s`);
          controller.error(fault);
          void reader.cancel(fault).catch(() => {});
        }, patience);
        timer.unref();
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
