// Writes and reads tar archives as streams, for files of any length.

import { createTarDecoder, createTarPacker } from "modern-tar";

/** A file of an archive. */
export interface ArchivedFile {
  /** Its path, with slashes. */
  readonly name: string;
  /** Its size in bytes. */
  readonly size: number;
  /** Its content in chunks, which must be read to the end before the next file is requested. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** An archive of `files`, which are requested while the archive is read, and closed when the reader stops. */
export async function* tarOf(files: AsyncIterable<ArchivedFile>, mtime: Date): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const fill = async (): Promise<void> => {
    for await (const { name, size, content } of files) {
      const writer = controller.add({ name, size, mtime, mode: 0o600, type: "file" }).getWriter();
      for await (const piece of content) await writer.write(piece);
      await writer.close();
    }
    controller.finalize();
  };
  // The reader gets the error.
  fill().catch((error: unknown) => controller.error(error));
  yield* readable as unknown as AsyncIterable<Uint8Array>;
}

/** The files in an archive. Throws if it ends early. */
export async function* filesOfTar(archive: ReadableStream<Uint8Array>): AsyncGenerator<ArchivedFile> {
  const entries = archive.pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of entries as unknown as AsyncIterable<TarEntry>)
    yield { name: header.name, size: header.size, content: body };
}

interface TarEntry {
  readonly header: { readonly name: string; readonly size: number };
  readonly body: AsyncIterable<Uint8Array>;
}
