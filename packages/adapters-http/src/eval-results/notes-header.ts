// Notes in an answer, for requests with `Prefer: notes`: names in the question that do not exist. Without that header,
// answers are unchanged.

import type { NotesSource, QueryNote } from "@assay/eval-engine";
import { queryNotes } from "@assay/eval-engine/internal";
import type { Principal } from "../request/principal.ts";

/** The existing names. Throws a `Fault` when the storage itself fails. */
export interface KnownNames {
  /** The projects, `<entity>/<project>`. A client only gets those it may see. */
  projects(): Promise<readonly string[]>;
  /** The evaluations of a project, by start. */
  entries(project: string): ReturnType<NotesSource["evaluations"]>;
  /** Whether a call has this ID, even if it has no trials yet. */
  isThere(project: string, id: string): Promise<boolean>;
}

/** Whether a request asks for notes. */
export function prefersNotes({ headers }: Request): boolean {
  const preferences = (headers.get("prefer") ?? "").split(",");
  return preferences.some((one) => /^\s*notes\s*(?:=\s*"?(?:true|1)"?\s*)?(?:;.*)?$/i.test(one));
}

/** The caller, and the existing names. */
export interface NotesParts extends Pick<NotesSource, "query"> {
  readonly names: KnownNames;
  readonly principal: Principal;
}

/** The notes on a question: on the query in its body, or on the body if it is itself a query. */
export function notesOn(
  { query, names, principal }: NotesParts,
  project: string,
  body: unknown,
): Promise<readonly QueryNote[]> {
  const source: NotesSource = {
    query,
    evaluations: (of) => names.entries(of),
    projects: async () =>
      (await names.projects()).filter((one) => {
        const [entity = "", name = ""] = one.split("/");
        return principal.allows(entity, name);
      }),
    isThere: (of, id) => names.isThere(of, id),
  };
  const asked = typeof body === "object" && body !== null && "query" in body ? body.query : body;
  return queryNotes(source, project, asked);
}

const CLOSING = 0x7d;

/** `answer`, whose body is a JSON object, with these notes as its last member. */
export function withNotes(answer: Response, notes: readonly QueryNote[]): Response {
  const ending = new TextEncoder().encode(`,"notes":${JSON.stringify(notes)}}`);
  let held: Uint8Array | undefined;
  const noted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      if (piece.length === 0) return;
      if (held !== undefined) controller.enqueue(held);
      held = piece;
    },
    flush(controller) {
      const end = held?.lastIndexOf(CLOSING) ?? -1;
      if (held === undefined || end === -1) return;
      controller.enqueue(held.subarray(0, end));
      controller.enqueue(ending);
    },
  });
  const headers = new Headers(answer.headers);
  headers.set("Preference-Applied", "notes");
  headers.delete("content-length");
  return new Response(answer.body?.pipeThrough(noted) ?? null, { status: answer.status, headers });
}
