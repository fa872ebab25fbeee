// A blob of the artifact store as a response.

import { Fault } from "@assay/base";
import type { StoredBlob, TrainingService } from "@assay/training-core";
import { notFound } from "./answers.ts";

/** The bytes of a blob, to be saved as `name`. */
export async function fileResponse(
  { artifacts }: TrainingService,
  { sha256, size }: StoredBlob,
  name: string,
): Promise<Response> {
  const bytes = artifacts.read(sha256)[Symbol.asyncIterator]();
  // The first piece is read before the answer begins: afterwards it is too late to say that there is none.
  let piece: IteratorResult<Uint8Array>;
  try {
    piece = await bytes.next();
  } catch (error) {
    if (error instanceof Fault && error.code === "missing") return notFound("file");
    throw error;
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (piece.done === true) return controller.close();
      controller.enqueue(piece.value);
      piece = await bytes.next();
    },
    async cancel() {
      await bytes.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "application/octet-stream",
      "content-length": String(size),
      "content-disposition": `attachment; filename="${name}"`,
      etag: `"${sha256}"`,
    },
  });
}
