// The evaluation query of the built command over a socket: one server, the shared vectors, each in its own project, and
// the shared refusals. The command interprets schemas, which the sources' tests compile.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bad, ok } from "@assay/base";
import { REFUSALS } from "@assay/testing/refusals";
import { type AssayServer, startAssay } from "@assay/testing/server";
import { expectVector, rowsOf, vectors } from "@assay/testing/vectors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let server: AssayServer;
const home = mkdtempSync(join(tmpdir(), "assay-built-"));
beforeAll(async () => {
  server = await startAssay(join(home, "data"));
});
afterAll(async () => {
  await server.stop("SIGTERM");
  rmSync(home, { recursive: true });
});

const post = (path: string, type: string, body: string): Promise<Response> =>
  fetch(`${server.url}/v2/${path}`, { method: "POST", headers: { "Content-Type": type }, body });

const ask = (project: string, body: unknown): Promise<Response> =>
  post(
    `${project}/eval_results/query`,
    "application/json",
    typeof body === "string" ? body : JSON.stringify(body),
  );

interface Detail {
  readonly detail: readonly {
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
  }[];
}

describe("the shared vectors", () => {
  test.each(vectors.map((vector, i) => [vector.name, `vectors/v${i}`, vector] as const))(
    "%s",
    async (_, project, vector) => {
      const lines = { calls: vector.calls, rows: rowsOf(vector) };
      for (const [kind, values] of Object.entries(lines)) {
        const text = values.map((value) => JSON.stringify(value)).join("\n");
        const report = await (await post(`${project}/${kind}/import`, "application/x-ndjson", text)).json();
        expect(report).toMatchObject({ bad_lines: 0 });
      }
      await expectVector(vector, async (body) => {
        const response = await ask(project, body);
        if (response.status === 200) return ok(await response.json());
        expect(response.status).toBe(422);
        const { detail } = (await response.json()) as Detail;
        return bad(detail.map(({ loc, msg, type }) => ({ path: loc, message: msg, code: type })));
      });
    },
  );
});

describe("an invalid request is a 422 with the place of the issue", () => {
  test.each(REFUSALS)("%s", async (_, body, fault) => {
    const response = await ask("acme/demo", body);
    expect(response.status).toBe(422);
    const { detail } = (await response.json()) as Detail;
    expect(detail.map(({ loc, type }) => [loc.join("."), type])).toContainEqual(fault);
  });
});
