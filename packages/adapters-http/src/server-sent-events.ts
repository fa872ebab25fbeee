// Answers as server-sent events: the one place where they are written.

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache",
  // Proxies that collect a response before they pass it on make a stream pointless.
  "X-Accel-Buffering": "no",
};

/** What a stream without news says now and then, because proxies cut silent ones. */
export const STILL_HERE = ": still here\n\n";

/** The text of one event. */
export function eventOf(
  data: string,
  { event, id }: { readonly event?: string; readonly id?: string } = {},
): string {
  return `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`;
}

/** What else a stream is made with. */
interface EventStreamOptions {
  /** Called when the client goes away. */
  readonly giveUp?: () => void;
  /** Further headers of the answer. */
  readonly headers?: { readonly [name: string]: string };
}

/** A response of these texts. Each is made when the client has taken the one before. */
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
        // It ends when what it waits for does, without a reader.
        texts.return(undefined).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { ...headers, ...HEADERS } });
}
