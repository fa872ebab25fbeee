// In place of the description of the interface, which a worker has no use for: the build puts it there.

/** Answers that there is none here. */
export function describedBy(): () => Response {
  const detail = "only a server describes its interface, at /openapi.json";
  return () => Response.json({ detail }, { status: 404 });
}
