// Prevents buffering of event streams: the first event must not wait for the second.

/** The same answer. An event stream is marked, because the adaptor to Node reads ahead in unmarked bodies. */
export function markUnbuffered(response: Response): Response {
  if (response.headers.get("Content-Type")?.startsWith("text/event-stream"))
    response.headers.set("Transfer-Encoding", "chunked");
  return response;
}
