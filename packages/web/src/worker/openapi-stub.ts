// In place of the description of the interface, which a worker has no use for: the build puts it there.

/** Answers that a file has no description of its interface. */
export function describedBy(): () => Response {
  const detail = "only a server describes its interface, at /openapi.json";
  return () => Response.json({ detail }, { status: 404 });
}
