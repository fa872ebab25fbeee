// Replaces the description of the interface, which a worker does not need, in the build.

/** Answers that a file has no description of its interface. */
export function describedBy(): () => Response {
  const detail = "only a server describes its interface, at /openapi.json";
  return () => Response.json({ detail }, { status: 404 });
}
