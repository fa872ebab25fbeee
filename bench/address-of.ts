// The address that a started `assay serve` says it answers at.

import type { ChildProcess } from "node:child_process";

/** Resolves when the server has said it; rejects when it ends instead. */
export function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    server.stdout!.on("data", (piece: Buffer) => {
      said += piece;
      const found = /answers at (http:\/\/[\d.:a-z]+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    server.once("exit", () => reject(new Error(`assay serve ended: ${said}`)));
  });
}
