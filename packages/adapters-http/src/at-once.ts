// An answer whose first event must not wait for the second.

/** The same answer, marked where it is a stream of events: the adaptor to Node reads ahead in bodies that do not say this. */
export function atOnce(response: Response): Response {
  if (response.headers.get("Content-Type")?.startsWith("text/event-stream"))
    response.headers.set("Transfer-Encoding", "chunked");
  return response;
}
