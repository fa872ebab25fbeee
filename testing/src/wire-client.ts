// A minimal client of W&B's wire protocol, for tests that kill servers or send requests that no real client would.

import { createHash } from "node:crypto";

// biome-ignore lint/suspicious/noExplicitAny: the bodies of answers are what the tests are about.
type Body = any;

/** A client with one key. */
export interface WireClient {
  /** Sends a GraphQL request; rejects if the status is not 200. Returns `data` and `errors` unchanged. */
  graphql(query: string, variables?: object): Promise<Body>;
  /** Sends a mutation of one field. */
  mutate(name: string, input: object, fields: string): Promise<Body>;
  /** Sends a request; rejects if the status is not 200. */
  send(method: string, path: string, body?: object | Uint8Array): Promise<Response>;
}

/** A client of the server at `url`. */
export function wireClient(url: string, key = "none"): WireClient {
  const send: WireClient["send"] = async (method, path, body) => {
    const bytes = body instanceof Uint8Array;
    const address = new URL(path, url);
    const response = await fetch(address, {
      method,
      headers: {
        // Signed addresses need no key.
        ...(!address.pathname.startsWith("/wandb/") && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && !bytes && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: bytes ? new Blob([new Uint8Array(body)]) : JSON.stringify(body) }),
    });
    if (response.status !== 200)
      throw new Error(`${method} ${address.pathname}: ${response.status} ${await response.text()}`);
    return response;
  };
  const graphql: WireClient["graphql"] = async (query, variables = {}) =>
    (await send("POST", "/graphql", { query, variables })).json();
  const mutate: WireClient["mutate"] = (name, input, fields) =>
    graphql(`mutation M($input: JSON!) { result: ${name}(input: $input) { ${fields} } }`, { input });
  return { graphql, mutate, send };
}

/** The MD5 digest of a text as clients encode it. */
function md5(text: string): string {
  return createHash("md5").update(text).digest("base64");
}

/** An artifact to log. */
export interface ArtifactToLog {
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly aliases: readonly string[];
}

/**
 * Logs an artifact in all the steps that clients take. Resolves to its id once it is committed; rejects if a step
 * fails.
 */
export async function logArtifact({ mutate, send }: WireClient, wish: ArtifactToLog): Promise<string> {
  const { entity, project, name, files, aliases } = wish;
  const contents = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, { digest: md5(text), size: Buffer.byteLength(text) }]),
  );
  const manifest = JSON.stringify({ version: 1, contents });
  const created = await mutate(
    "createArtifact",
    {
      entityName: entity,
      projectName: project,
      artifactTypeName: "dataset",
      artifactCollectionName: name,
      digest: createHash("md5").update(manifest).digest("hex"),
      aliases: aliases.map((alias) => ({ alias })),
    },
    "artifact { id state }",
  );
  const { id } = created.data.result.artifact;
  const artifactFiles = Object.entries(files).map(([path, text]) => ({
    artifactID: id,
    name: path,
    md5: md5(text),
  }));
  const wanted = await mutate(
    "createArtifactFiles",
    { artifactFiles },
    "files { edges { node { uploadUrl } } }",
  );
  for (const [i, text] of Object.values(files).entries()) {
    const { uploadUrl } = wanted.data.result.files.edges[i].node;
    if (uploadUrl !== null) await send("PUT", uploadUrl, Buffer.from(text));
  }
  const input = { artifactID: id, digest: md5(manifest) };
  const made = await mutate("createArtifactManifest", input, "artifactManifest { file { uploadUrl } }");
  await send("PUT", made.data.result.artifactManifest.file.uploadUrl, Buffer.from(manifest));
  const committed = await mutate("commitArtifact", { artifactID: id }, "artifact { versionIndex }");
  if (committed.errors !== undefined) throw new Error(committed.errors[0].message);
  return id;
}

/** The files of the artifact named `name`, with their texts; undefined if there is none. */
export async function artifactFiles(
  { graphql, send }: WireClient,
  { entity, project, name }: { readonly entity: string; readonly project: string; readonly name: string },
): Promise<Readonly<Record<string, string>> | undefined> {
  const answer = await graphql(
    `query Q($e: String, $p: String, $n: String!) { project(name: $p, entityName: $e) {
      artifactCollectionMembership(name: $n) { artifact { fileCount state } files(first: 5000) { edges { node { name directUrl } } } } } }`,
    { e: entity, p: project, n: name },
  );
  const found = answer.data.project.artifactCollectionMembership;
  if (found === null) return undefined;
  const texts: Record<string, string> = {};
  for (const { node } of found.files.edges)
    texts[node.name] = await (await send("GET", node.directUrl)).text();
  if (Object.keys(texts).length !== found.artifact.fileCount)
    throw new Error(`${name} does not have all of its files`);
  return texts;
}
