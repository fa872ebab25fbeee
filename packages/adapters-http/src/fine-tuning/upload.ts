// An upload: one file of a multipart form and the fields beside it, read as they come. Untrusted.

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { bad, type Issue, ok, type Result } from "@assay/base";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { decodedBody } from "../body.ts";

/** What stands beside the file, and what the file is called. */
export interface UploadForm {
  /** Without a path. */
  readonly filename: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** Reads the bytes of a file, and then asks what else the form had. */
export type Keep<T> = (
  bytes: AsyncIterable<Uint8Array>,
  form: () => Promise<Result<UploadForm>>,
) => Promise<Result<T>>;

const MOST_FIELDS = 20;
const LIMITS = { fields: MOST_FIELDS, fieldSize: 4096, fieldNameSize: 100, files: 1, headerPairs: 20 };

/**
 * What `keep` makes of the field `file` of a form. Issues: its own, `type` for what is no such form, `missing` without a
 * file. When `keep` has issues before the file has ended, the rest is not read.
 */
export async function readUpload<T>(request: Request, keep: Keep<T>): Promise<Result<T>> {
  const body = decodedBody(request);
  if (!body.ok) return wrong("type", body.refusal.message);
  const parser = parserOf(request.headers.get("content-type") ?? "");
  if (parser === undefined) return NO_FORM;
  const fields = new Map<string, string>();
  const enough = new AbortController();
  let filename = "";
  let open: BusboyFileStream | undefined;
  let keeping: Promise<Result<T>> | undefined;
  let whole: (form: Result<UploadForm>) => void = () => {};
  const form = new Promise<Result<UploadForm>>((resolve) => {
    whole = resolve;
  });
  parser.on("field", (name, value) => void fields.set(name, value));
  parser.on("file", (name, stream, called: string | undefined) => {
    if (name !== "file") return void stream.resume();
    open = stream;
    filename = called ?? "";
    keeping = keep(stream, () => form);
    const leave = () => enough.abort();
    keeping.then((kept) => kept.ok || leave(), leave);
  });
  try {
    await pipeline(Readable.from(body.value), parser, {
      signal: AbortSignal.any([request.signal, enough.signal]),
    });
    whole(ok({ filename, fields }));
  } catch {
    whole(NO_FORM);
    if (!enough.signal.aborted) open?.destroy(new Error("the form broke off"));
    // Its own issues say more than that nobody read on.
    if (enough.signal.aborted && keeping !== undefined) return keeping;
    await keeping?.catch(() => {});
    return NO_FORM;
  }
  return keeping ?? wrong("missing", "a file is needed, as the field called file", ["file"]);
}

function parserOf(type: string): BusboyInstance | undefined {
  if (!/^multipart\/form-data\s*;/i.test(type)) return undefined;
  try {
    return new Busboy({ headers: { "content-type": type }, limits: LIMITS });
  } catch {
    return undefined;
  }
}

const NO_FORM: Result<never> = wrong(
  "type",
  "a file is sent as multipart/form-data, and this is not a whole form",
);

function wrong(code: string, message: string, path: Issue["path"] = []): Result<never> {
  return bad([{ code, path, message }]);
}
