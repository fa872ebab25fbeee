// Two tenants: requests with the other tenant's names and ids reveal nothing and change nothing.

import fc from "fast-check";
import { expect, test } from "vitest";
import { openFixture } from "./fixture.ts";

/** Appears only in another tenant's data, so no answer may contain it. */
const SECRET = "sesame";
const RUNS = Number(process.env["ASSAY_RUNS"] ?? 60);

test("no run, artifact, alias or file of another tenant can be seen, guessed or changed", async () => {
  const fixture = openFixture();
  const { graphql, log, mutate, run, send, tracking } = fixture;
  const foreign = { entity: "team-b", project: "p" } as const;
  await run("secret-run", [`{"_step":0,"${SECRET}":1}`], "team-b", "key-b");
  const files = { [`${SECRET}.txt`]: `the ${SECRET} itself` };
  const { id } = await log("secret-data", files, {
    entity: "team-b",
    key: "key-b",
    aliases: ["latest", "best"],
  });
  const mine = await log("data", { f: "own" });
  await run("own");
  const other = (await tracking.store.run({ ...foreign, name: "secret-run" }))!;
  const runId = Buffer.from(`Run:${other.id}`).toString("base64");
  const md5 = (
    await tracking.store.entries((await tracking.findArtifact(foreign, "secret-data"))!.artifact.id, {
      limit: 1,
    })
  )[0]!.digest;
  const base64 = Buffer.from(md5, "hex").toString("base64");
  const everything = async () =>
    JSON.stringify([
      await tracking.store.runs(foreign, { order: "asc", limit: 100 }),
      await tracking.store.lines(other.id, "history", { from: 0, limit: 100 }),
      await tracking.store.runFiles(other.id, { limit: 100 }),
      await tracking.store.collections(foreign, { limit: 100 }),
      await tracking.store.aliases(
        (await tracking.store.collection({ ...foreign, name: "secret-data" }))!.id,
      ),
    ]);
  const before = await everything();

  const inProject = (fields: string) => (entity: string, name: string) =>
    graphql(`query Q($e: String, $n: String) { project(name: "p", entityName: $e) { ${fields} } }`, {
      e: entity,
      n: name,
    });
  const input = (name: string, more: object, fields: string) => (entity: string, of: string) =>
    mutate(
      name,
      {
        entityName: entity,
        projectName: "p",
        modelName: "p",
        runName: of,
        name: of,
        artifactID: of,
        id: of,
        ...more,
      },
      fields,
    );
  const asks: readonly ((entity: string, name: string) => Promise<unknown>)[] = [
    inProject("run(name: $n) { config history summaryMetrics files { edges { node { directUrl } } } }"),
    inProject("runs { edges { node { name } } } runCount"),
    inProject("artifact(name: $n) { digest metadata currentManifest { file { directUrl } } }"),
    inProject("artifactCollectionMembership(name: $n) { files { edges { node { directUrl } } } }"),
    inProject("artifactTypes { edges { node { name } } } artifactCollections { edges { node { name } } }"),
    (_, name) =>
      graphql("query Q($n: ID) { artifact(id: $n) { digest files { edges { node { name directUrl } } } } }", {
        n: name,
      }),
    input("upsertBucket", { config: "{}" }, "bucket { id config }"),
    (_, name) => mutate("upsertBucket", { id: name, notes: "changed" }, "bucket { id config }"),
    input("deleteRun", {}, "clientMutationId"),
    (_, name) => {
      const run = Buffer.from(name, "base64").toString().replace(/^Run:/, "File:");
      return mutate("deleteFiles", { files: [Buffer.from(`${run}:a`).toString("base64")] }, "success");
    },
    input("createRunFiles", { files: ["a"] }, "files { uploadUrl }"),
    input(
      "createArtifact",
      {
        artifactTypeName: "t",
        artifactCollectionName: "secret-data",
        digest: "0".repeat(32),
        aliases: [{ alias: "best" }],
      },
      "artifact { id }",
    ),
    input("createArtifactManifest", { digest: base64 }, "artifactManifest { file { uploadUrl directUrl } }"),
    (_, name) =>
      mutate(
        "createArtifactFiles",
        { artifactFiles: [{ artifactID: name, name: "f", md5: base64 }] },
        "files { edges { node { uploadUrl } } }",
      ),
    input("commitArtifact", {}, "artifact { digest }"),
    input("updateArtifact", { description: "changed" }, "artifact { digest }"),
    input("deleteArtifact", { deleteAliases: true }, "artifact { digest }"),
    input("useArtifact", {}, "artifact { digest }"),
    input("addAliases", { aliases: [{ alias: "mine" }] }, "success"),
    input("deleteAliases", { aliases: [{ alias: "best" }] }, "success"),
    (entity, name) =>
      send("POST", `/files/${entity}/p/${encodeURIComponent(name)}/file_stream`, {
        complete: true,
        exitcode: 1,
      }),
    (entity) => send("GET", `/v2/${entity}/p/runs`),
    (entity, name) => send("GET", `/v2/${entity}/p/runs/${encodeURIComponent(name)}`),
    (entity, name) => send("GET", `/v2/${entity}/p/runs/${encodeURIComponent(name)}/history`),
    (entity) => send("GET", `/artifactsV2/default/${entity}/p/secret-data/x/${md5}/${SECRET}.txt`),
    // In team-a's own project, the digest of the other tenant's bytes finds nothing.
    () => send("GET", `/artifactsV2/default/team-a/p/data/x/${md5}/${SECRET}.txt`),
  ];
  const names = [
    "secret-run",
    "secret-data",
    "secret-data:latest",
    "secret-data:v0",
    id,
    runId,
    mine.id,
    "own",
  ];

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...asks),
      fc.constantFrom("team-b", "team-a", "default"),
      fc.constantFrom(...names),
      async (ask, entity, name) => {
        const said = JSON.stringify(await ask(entity, name));
        expect(said).not.toContain(SECRET);
        for (const [, address] of said.matchAll(/directUrl":"(http[^"]+)/g)) {
          // A lookup by id ignores the entity, so team-a's own artifact is found.
          if (entity === "team-b") expect(name).toBe(mine.id);
          const { status, body } = await send("GET", address!, undefined, "");
          expect(status).toBe(200);
          expect(Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body)).not.toContain(SECRET);
        }
        expect(await everything()).toBe(before);
      },
    ),
    { numRuns: RUNS * 5, seed: Number(process.env["ASSAY_SEED"] ?? 7) },
  );
  // The owner still sees everything.
  const read = await send("GET", "/v2/team-b/p/runs/secret-run/history", undefined, "key-b");
  expect(JSON.stringify(read.body)).toContain(SECRET);
  expect(fixture.errors).toEqual([]);
});
