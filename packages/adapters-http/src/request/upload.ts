// An upload: one file of a multipart form and the form's other fields, read as they arrive. Untrusted.

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { bad, type Issue, ok, type Result } from "@assay/base";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { BodyRefused } from "./body.ts";

/** The other fields of the form, and the name of the file. */
export interface UploadForm {
  /** Without a path. */
  readonly filename: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** Reads the bytes of a file, then gets the other fields of the form. */
export type Keep<T> = (
  bytes: AsyncIterable<Uint8Array>,
  form: () => Promise<Result<UploadForm>>,
) => Promise<Result<T>>;

const LIMITS = { fields: 20, fieldSize: 4096, parts: 21, files: 1, headerPairs: 20 };

/**
 * The result of `keep` for the field `file` of a form, which must be the whole `body`. Issues: its own, `type` for
 * another form, `missing` without a file. If `keep` returns issues before the file has ended, the rest is not read.
 * Throws `BodyRefused` if reading the body does.
 */
export async function readUpload<T>(
  request: Request,
  body: AsyncIterable<Uint8Array>,
  keep: Keep<T>,
): Promise<Result<T>> {
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
  const stop = () => enough.abort();
  parser.on("field", (name, value, _, isCut) => (isCut ? stop() : void fields.set(name, value)));
  // More fields than any form has; each costs time.
  for (const limit of ["partsLimit", "fieldsLimit"] as const) parser.on(limit, stop);
  let isKept = false;
  const leave = () => {
    isKept = true;
    stop();
  };
  parser.on("file", (_, stream, called: string | undefined) => {
    // The reader gets the error; there may be none after a refusal.
    stream.on("error", () => {});
    open = stream;
    filename = called ?? "";
    keeping = keep(stream, () => form);
    keeping.then((kept) => kept.ok || leave(), leave);
  });
  try {
    await pipeline(Readable.from(body), parser, {
      signal: AbortSignal.any([request.signal, enough.signal]),
    });
    whole(ok({ filename, fields }));
  } catch (error) {
    whole(NO_FORM);
    // Its own issues explain more than that reading stopped.
    if (isKept && keeping !== undefined) return keeping;
    open?.destroy(new Error("the form broke off"));
    await keeping?.catch(() => {});
    if (error instanceof BodyRefused) throw error;
    return NO_FORM;
  }
  return keeping ?? wrong("missing", "a file is required, in the field named file", ["file"]);
}

function parserOf(type: string): BusboyInstance | undefined {
  if (!/^multipart\/form-data\s*;/i.test(type)) return undefined;
  try {
    // A field counts as the file by its name: some clients send no file name, or the type of a text.
    const isPartAFile = (name: string | undefined) => name === "file";
    return new Busboy({ headers: { "content-type": type }, limits: LIMITS, isPartAFile });
  } catch {
    return undefined;
  }
}

const NO_FORM: Result<never> = wrong(
  "type",
  "send the file as multipart/form-data; this is not a complete form",
);

function wrong(code: string, message: string, path: Issue["path"] = []): Result<never> {
  return bad([{ code, path, message }]);
}
