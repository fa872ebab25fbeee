// A blob of the artifact store as a response.

import type { Training } from "@assay/training-core";
import { notFound } from "./answers.ts";

/** The bytes of a blob, to be saved as `name`. */
export async function fileResponse({ artifacts }: Training, sha256: string, name: string): Promise<Response> {
  const blob = await artifacts.find(sha256);
  if (blob === undefined) return notFound("file");
  const bytes = artifacts.read(sha256)[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await bytes.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await bytes.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "application/octet-stream",
      "content-length": String(blob.size),
      "content-disposition": `attachment; filename="${name}"`,
      etag: `"${sha256}"`,
    },
  });
}
