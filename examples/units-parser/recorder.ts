// A minimal trace server that records what the Weave SDK logs.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

type Fields = Record<string, unknown>;

/** The logged data: each call in the trace server's format, and each table row by its digest. */
export interface Recording {
  readonly calls: ReadonlyMap<string, Fields>;
  readonly rows: ReadonlyMap<string, Fields>;
}

const NO_CALL: Fields = {
  id: null,
  project_id: null,
  trace_id: null,
  parent_id: null,
  op_name: null,
  display_name: null,
  started_at: null,
  ended_at: null,
  inputs: {},
  output: null,
  attributes: {},
  summary: {},
  exception: null,
  deleted_at: null,
};

/** Listens on a free local port. `close` waits for requests in progress. */
export async function startRecorder(): Promise<{
  recording: Recording;
  url: string;
  close: () => Promise<void>;
}> {
  const calls = new Map<string, Fields>();
  const rows = new Map<string, Fields>();
  const tables = new Map<string, readonly string[]>();

  const record = (part: Fields) => {
    const id = part["id"] as string;
    calls.set(id, { ...(calls.get(id) ?? NO_CALL), ...part });
  };

  const answers: Readonly<Record<string, (body: Fields, raw: Buffer) => unknown>> = {
    "/call/upsert_batch": ({ batch }) => {
      const items = batch as readonly { mode: "start" | "end"; req: Record<string, Fields> }[];
      for (const { mode, req } of items) record(req[mode]!);
      return { res: items.map(() => ({})) };
    },
    "/obj/create": ({ obj }) => ({ digest: digest(canonical((obj as Fields)["val"])) }),
    "/table/create": ({ table }) => {
      const digests = ((table as Fields)["rows"] as readonly Fields[]).map((val) => {
        const id = digest(canonical(val));
        rows.set(id, val);
        return id;
      });
      const id = digest(digests.join(""));
      tables.set(id, digests);
      return { digest: id, row_digests: digests };
    },
    "/table/query": (body) => ({
      rows: tables.get(body["digest"] as string)!.map((id) => ({ digest: id, val: rows.get(id) })),
    }),
    "/file/create": (_, raw) => ({ digest: digest(raw) }),
  };

  const server = createServer(async (request, response) => {
    const raw = await bodyOf(request);
    const json = request.headers["content-type"]?.startsWith("application/json") === true;
    const answer = answers[request.url ?? ""];
    if (answer === undefined)
      process.stderr.write(`the recorder does not know the route ${request.url}
`);
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer?.(json ? JSON.parse(raw.toString("utf8")) : {}, raw) ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    recording: { calls, rows },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Weave's digest of content: SHA-256 in base64url, with letters in place of the two punctuation characters. */
function digest(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("base64url").replaceAll("-", "X").replaceAll("_", "Y");
}

// Sufficient for this example: Python and JavaScript print all its numbers in the same way.
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, member]) => `${canonical(key)}: ${canonical(member)}`).join(", ")}}`;
  }
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
