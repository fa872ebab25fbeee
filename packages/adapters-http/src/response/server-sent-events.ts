// Writes responses as server-sent events.

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache",
  // Tells proxies not to buffer the response, which would defeat streaming.
  "X-Accel-Buffering": "no",
};

/** A comment sent in quiet streams, because proxies cut silent ones. */
export const STILL_HERE = ": still here\n\n";

/** The text of one event. */
export function eventOf(
  data: string,
  { event, id }: { readonly event?: string; readonly id?: string } = {},
): string {
  return `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`;
}

/** Options of a stream. */
interface EventStreamOptions {
  /** Called when the client disconnects. */
  readonly giveUp?: () => void;
  /** Further headers of the answer. */
  readonly headers?: { readonly [name: string]: string };
}

/** A response with these texts. Each is produced after the client has read the previous one. */
export function eventStream(
  texts: AsyncGenerator<string>,
  { giveUp, headers }: EventStreamOptions = {},
): Response {
  const encoder = new TextEncoder();
  let gone = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next();
        if (gone) return;
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel() {
        gone = true;
        giveUp?.();
        // It ends when what it waits for ends, without a reader.
        texts.return(undefined).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { ...headers, ...HEADERS } });
}
