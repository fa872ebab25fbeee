// Bytes of the artifact store as a response.

import { Fault } from "@assay/base";
import type { ArtifactStore, StoredBlob } from "@assay/training-core";

/** The bytes of a blob, to be saved as `name`; undefined if it does not exist. */
export async function blobResponse(
  artifacts: Pick<ArtifactStore, "read">,
  { sha256, size }: StoredBlob,
  name: string,
): Promise<Response | undefined> {
  const bytes = artifacts.read(sha256)[Symbol.asyncIterator]();
  // The first chunk is read before the answer starts; afterwards it would be too late for a 404.
  let piece: IteratorResult<Uint8Array>;
  try {
    piece = await bytes.next();
  } catch (error) {
    if (error instanceof Fault && error.code === "missing") return undefined;
    throw error;
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (piece.done === true) return controller.close();
        controller.enqueue(piece.value);
        piece = await bytes.next();
      },
      async cancel() {
        await bytes.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "content-type": "application/octet-stream",
      "content-length": String(size),
      "content-disposition": `attachment; filename="${fileName(name)}"`,
      etag: `"${sha256}"`,
    },
  });
}

/** The last part of a path, without characters that would end the header's quoted text. */
function fileName(path: string): string {
  return (path.split("/").at(-1) ?? "").replaceAll(/[^\w.@+ -]/g, "_");
}
