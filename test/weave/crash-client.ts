// A client that logs to a server until the server is gone, and records what was acknowledged.

import { randomUUID } from "node:crypto";
import type { Random } from "@assay/testing/seeded";

/** One part of a call, as sent. */
interface Piece {
  readonly id: string;
  readonly mode: "start" | "end" | "complete";
}

/** The parts of one request. */
export interface SentBatch {
  readonly pieces: readonly Piece[];
  /** Whether the server acknowledged them. */
  acknowledged: boolean;
}

/** An acknowledged item, and the request that reads it. */
interface SentContent {
  readonly path: string;
  readonly body: object;
  /** A text that the response must contain. */
  readonly expected: string;
}

/** Everything that a client sent. */
export interface Account {
  readonly batches: SentBatch[];
  readonly contents: SentContent[];
}

/** Logs trials of the evaluation `root` to `project` in several concurrent loops, until the server is gone. */
export async function logUntilGone(
  url: string,
  project: string,
  root: string,
  random: Random,
  onAcknowledged: () => void,
): Promise<Account> {
  const account: Account = { batches: [], contents: [] };
  const post = async (path: string, body: object | FormData): Promise<string> => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      body: isForm ? body : JSON.stringify(body),
      ...(!isForm && { headers: { "Content-Type": "application/json" } }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Refused(`${path} got ${response.status}: ${text}`);
    onAcknowledged();
    return text;
  };
  const send = async (pieces: readonly Piece[]): Promise<void> => {
    const batch: SentBatch = { pieces, acknowledged: false };
    account.batches.push(batch);
    const wire = pieces.map((piece) => wireOf(piece, project, root));
    const [only] = wire;
    if (pieces.length > 1 || random() < 0.5) await post("/call/upsert_batch", { batch: wire });
    else if (only!.mode === "complete") await post(`/v2/${project}/calls/complete`, { batch: [only!.req] });
    else await post(`/call/${only!.mode}`, only!.req);
    batch.acknowledged = true;
  };
  const logCalls = async (): Promise<void> => {
    let open: string[] = [];
    for (;;) {
      const fresh = Array.from({ length: 1 + Math.floor(random() ** 3 * 300) }, () => randomUUID());
      const pieces: Piece[] = [];
      // Some calls whole; others in two parts, in this batch and the next, in either order, some twice.
      const next: string[] = [];
      for (const id of fresh) {
        const manner = random();
        if (manner < 0.3) pieces.push({ id, mode: "complete" });
        else if (manner < 0.5) {
          pieces.push({ id, mode: "end" }, { id, mode: "start" });
          if (random() < 0.2) pieces.push({ id, mode: "end" });
        } else {
          pieces.push({ id, mode: "start" });
          next.push(id);
        }
      }
      pieces.push(...open.map((id): Piece => ({ id, mode: "end" })));
      open = next;
      await send(pieces);
    }
  };
  const logContents = async (): Promise<void> => {
    for (;;) {
      const word = randomUUID();
      const { digest } = JSON.parse(
        await post("/obj/create", { obj: { project_id: project, object_id: `o-${word}`, val: { word } } }),
      ) as { digest: string };
      const object = { project_id: project, object_id: `o-${word}`, digest };
      account.contents.push({ path: "/obj/read", body: object, expected: word });
      const table = JSON.parse(
        await post("/table/create", { table: { project_id: project, rows: [{ word }, { other: word }] } }),
      ) as { digest: string };
      const query = { project_id: project, digest: table.digest };
      account.contents.push({ path: "/table/query", body: query, expected: `"other":"${word}"` });
      const form = new FormData();
      form.set("project_id", project);
      form.set("file", new Blob([`file of ${word}`]), "name");
      const file = JSON.parse(await post("/file/create", form)) as { digest: string };
      const read = { project_id: project, digest: file.digest };
      account.contents.push({ path: "/file/content", body: read, expected: `file of ${word}` });
      const feedback = { project_id: project, weave_ref: word, feedback_type: "note", payload: { word } };
      await post("/feedback/create", feedback);
      const about = { $expr: { $eq: [{ $getField: "weave_ref" }, { $literal: word }] } };
      const asked = { project_id: project, query: about };
      account.contents.push({
        path: "/feedback/query",
        body: asked,
        expected: `"payload":{"word":"${word}"}`,
      });
    }
  };
  const places = await Promise.allSettled([logCalls(), logCalls(), logCalls(), logContents()]);
  // Each loop ends with an error. A lost connection is expected, a refusal is not.
  for (const place of places)
    if (place.status === "rejected" && place.reason instanceof Refused) throw place.reason;
  return account;
}

/** The server responded with a status other than 200. */
class Refused extends Error {}

/** The contents of a call, derived from its id, so that they can be checked exactly. */
export function payloadOf(id: string): { readonly input: string; readonly output: string } {
  return { input: `${id} é `.repeat(20), output: `☃ ${id}`.repeat(10) };
}

function wireOf({ id, mode }: Piece, project: string, root: string) {
  const { input, output } = payloadOf(id);
  const start = {
    project_id: project,
    id,
    trace_id: root,
    parent_id: root,
    op_name: "Evaluation.predict_and_score",
    started_at: "2026-01-01T00:00:00Z",
    attributes: {},
    inputs: { example: { id, input } },
  };
  const end = {
    project_id: project,
    id,
    ended_at: "2026-01-01T00:00:01Z",
    output: { output, scores: { right: true } },
    summary: {},
  };
  if (mode === "complete") return { mode, req: { ...start, ...end } };
  return mode === "start" ? { mode, req: { start } } : { mode, req: { end } };
}
