// Every version opens the data directories of all earlier versions: the built server over all packed directories.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAssay } from "@assay/testing/server";
import { digests, WRITINGS } from "@assay/testing/writings";
import { expect, onTestFinished, test } from "vitest";
import { type Packed, packedDirectories, unpack } from "./directories.ts";

const packed = packedDirectories();

test("the first version's directory is among the samples", () => expect(packed[0]?.version).toBe("0.1.0"));

test.each(packed.flatMap((one) => [true, false].map((isWhole) => ({ ...one, isWhole }))))(
  "opens a directory of version $version, reads it, adds to it and opens it again (with its database: $isWhole)",
  async ({ isWhole, ...one }) => {
    const directory = mkdtempSync(join(tmpdir(), "assay-upgrade-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    unpack(one, directory);
    if (!isWhole)
      for (const end of ["", ".wal"]) rmSync(join(directory, `assay.duckdb${end}`), { force: true });
    for (const [name, digest] of Object.entries(one.digests)) digests.set(name, digest);
    const added = Object.keys(WRITINGS).map((writing) => ({ writing, name: `${writing}-later` }));
    const opened = async (there: Packed["written"], write: boolean): Promise<void> => {
      const server = await startAssay(directory);
      try {
        for (const { writing, name } of there)
          expect(await WRITINGS[writing]!.isThere(server.url, name), name).toBe(true);
        const response = await fetch(`${server.url}/v2/acme/evaluated/eval_results/query`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ evaluation_call_ids: ["e"], include_summary: true }),
        });
        // biome-ignore lint/suspicious/noExplicitAny: the body of an answer is what the test is about.
        const { total_rows, summary } = (await response.json()) as any;
        expect(total_rows).toBe(3);
        expect(summary.evaluations[0].scorer_stats[0].pass_true_count).toBe(2);
        if (write)
          for (const { writing, name } of added)
            expect(await WRITINGS[writing]!.write(server.url, name), name).toBe(200);
      } finally {
        await server.stop("SIGTERM");
      }
    };
    await opened(one.written, true);
    await opened([...one.written, ...added], false);
  },
);
