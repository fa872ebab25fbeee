// Artifacts and collections for GraphQL clients. A field that requires a read is a function, which is called only when
// the field is requested.

import { isJsonObject } from "@assay/base/internal";
import type { Artifact, Collection } from "@assay/tracking-core";
import {
  type Alias,
  type ArtifactEntry,
  type CollectedArtifact,
  md5ToBase64,
  type ProjectName,
} from "@assay/tracking-core/internal";
import { GraphQLError } from "graphql";
import { type Arguments, readArguments } from "./arguments.ts";
import { type Connection, connection, cursorIn, pageSize } from "./connection.ts";
import { type ResolverContext, wireId } from "./resolver-context.ts";
import { time } from "./scalars.ts";

/** An artifact, with every member that clients require, even if null. */
export function artifactView(asked: ResolverContext, { artifact, collection }: CollectedArtifact): object {
  const { store } = asked.tracking;
  return {
    id: wireId("Artifact", artifact.id),
    artifactSequence: () => collectionView(asked, collection),
    versionIndex: artifact.versionIndex ?? null,
    artifactType: () => typeView(asked, collection, collection.type),
    description: artifact.description ?? null,
    metadata: artifact.metadata ?? null,
    // In W&B's terms: kept forever, as inherited from its collection.
    ttlDurationSeconds: -2,
    ttlIsInherited: true,
    tags: artifact.tags.map((name) => ({ id: wireId("Tag", name), name })),
    historyStep: artifact.historyStep ?? null,
    state: artifact.state,
    size: artifact.size,
    digest: artifact.digest,
    digestAlgorithm: "MANIFEST_MD5",
    commitHash: artifact.id,
    fileCount: artifact.fileCount,
    createdAt: time(artifact.createdAt),
    updatedAt: time(artifact.updatedAt),
    aliases: async () => aliasViews(asked, collection, await store.aliases(collection.id, artifact.id)),
    createdBy: async () => {
      if (artifact.createdBy === undefined) return null;
      const run = await store.run({ ...projectOf(collection), name: artifact.createdBy });
      return run === undefined ? null : asked.views.run(asked, run);
    },
    usedBy: async () => {
      const users = (await store.usersOf(artifact.id, MOST_USERS)).filter(({ entity, project }) =>
        asked.principal.allows(entity, project),
      );
      return connection(users, MOST_USERS, {
        node: (run) => asked.views.run(asked, run),
        cursorOf: ({ id }) => ({ id }),
      });
    },
    // It has no links, so that its own collection is its only one.
    artifactMemberships: () =>
      connection([{ artifact, collection }], 1, {
        node: (found) => membershipView(asked, found),
        cursorOf: () => ({ id: collection.id }),
      }),
    currentManifest: () => (artifact.manifest === undefined ? null : manifestView(asked, artifact)),
    files: (raw: unknown) => artifactFiles(asked, artifact, readArguments(raw, "files")),
  };
}

/** The most runs listed for an artifact. */
const MOST_USERS = 1000;

function projectOf({ entity, project }: Collection) {
  return { entity, project };
}

function aliasViews(
  asked: ResolverContext,
  collection: Collection,
  aliases: readonly Alias[],
): readonly object[] {
  return aliases.map(({ alias }) => ({
    id: wireId("ArtifactAlias", `${collection.id}:${alias}`),
    alias,
    artifactCollection: () => collectionView(asked, collection),
  }));
}

/** The manifest of an artifact, which is uploaded until the artifact is committed, and downloaded afterwards. */
export function manifestView(asked: ResolverContext, { id, manifest }: Artifact, upload?: string): object {
  return {
    id: wireId("ArtifactManifest", id),
    file: {
      id: wireId("File", `manifest:${id}`),
      name: "wandb_manifest.json",
      uploadUrl: upload ?? null,
      uploadHeaders: [],
      directUrl:
        manifest === undefined
          ? null
          : asked.address({ get: manifest.sha256, size: manifest.size, file: "wandb_manifest.json" }),
    },
  };
}

/** A collection. */
export function collectionView(asked: ResolverContext, collection: Collection): object {
  const { store } = asked.tracking;
  return {
    __typename: "ArtifactSequence",
    id: wireId("ArtifactCollection", collection.id),
    name: collection.name,
    description: null,
    createdAt: time(collection.createdAt),
    updatedAt: time(collection.updatedAt),
    project: () => asked.views.project(asked, collection),
    defaultArtifactType: () => typeView(asked, collection, collection.type),
    tags: { edges: [] },
    digestAlgorithm: "MANIFEST_MD5",
    latestArtifact: async () => {
      const artifact = await store.aliased(collection.id, "latest");
      return artifact === undefined ? null : artifactView(asked, { artifact, collection });
    },
    aliases: async () => {
      const aliases = await store.aliases(collection.id);
      return connection(aliases, aliases.length, {
        node: (one) => aliasViews(asked, collection, [one])[0]!,
        cursorOf: ({ alias }) => ({ alias }),
      });
    },
    artifactMembership: async (raw: unknown) => {
      const { entity, project, name } = collection;
      const alias = readArguments(raw, "artifactMembership").text("aliasName") ?? "latest";
      const found = await asked.tracking.findArtifact({ entity, project }, `${name}:${alias}`);
      return found === undefined ? null : membershipView(asked, found);
    },
    artifacts: (raw: unknown) => versions(asked, collection, readArguments(raw, "artifacts")),
  };
}

/** Orders in which the newest is first, as clients call them. */
const NEWEST_FIRST = ["", "-createdAt", "-created_at", "-versionIndex", "-version_index"];

async function versions(asked: ResolverContext, collection: Collection, args: Arguments): Promise<object> {
  onlyCommitted(args.text("filters"));
  if (!NEWEST_FIRST.includes(args.text("order") ?? ""))
    throw new GraphQLError("artifacts are listed newest first: they can only be ordered by -createdAt");
  const size = pageSize(args.count("first"));
  const before = cursorIn(args)?.["before"];
  const { store } = asked.tracking;
  const found = await store.artifacts(collection.id, {
    ...(typeof before === "number" && { before }),
    limit: size + 1,
  });
  const page: Connection<object> = connection(found, size, {
    node: (artifact) => artifactView(asked, { artifact, collection }),
    cursorOf: ({ versionIndex }) => ({ before: versionIndex }),
  });
  return {
    ...page,
    edges: page.edges.map((edge, i) => ({ ...edge, version: `v${found[i]!.versionIndex}` })),
    totalCount: () => store.artifactCount(collection.id),
  };
}

/** The filters that are accepted are much shorter. */
const LONGEST_FILTERS = 10_000;

/** Throws for filters other than the client's default one, which changes nothing. */
function onlyCommitted(filters: string | undefined): void {
  if (filters === undefined) return;
  let read: unknown;
  try {
    if (filters.length <= LONGEST_FILTERS) read = JSON.parse(filters);
  } catch {
    throw new GraphQLError("filters must be JSON");
  }
  const names = isJsonObject(read) ? Object.keys(read) : ["filters"];
  if (names.every((name) => name === "state" && (read as { state: unknown }).state === "COMMITTED")) return;
  throw new GraphQLError(`artifacts cannot be filtered by ${names.join(", ").slice(0, 200)}`);
}

/** An artifact under one of its names. */
export function membershipView(asked: ResolverContext, found: CollectedArtifact): object {
  const { artifact, collection } = found;
  return {
    id: wireId("ArtifactCollectionMembership", artifact.id),
    versionIndex: artifact.versionIndex ?? null,
    createdAt: time(artifact.createdAt),
    aliases: async () =>
      aliasViews(asked, collection, await asked.tracking.store.aliases(collection.id, artifact.id)),
    artifactCollection: () => collectionView(asked, collection),
    artifact: () => artifactView(asked, found),
    files: (raw: unknown) => artifactFiles(asked, artifact, readArguments(raw, "files")),
  };
}

async function artifactFiles(
  asked: ResolverContext,
  { id, fileCount, createdAt }: Artifact,
  args: Arguments,
): Promise<object> {
  const { store } = asked.tracking;
  const size = pageSize(args.count("first"));
  const names = args.texts("names");
  const after = cursorIn(args)?.["path"];
  const found =
    names.length > 0
      ? await store.entriesAt(id, names)
      : await store.entries(id, { ...(typeof after === "string" && { after }), limit: size + 1 });
  return {
    ...connection(found, size, {
      node: (entry) => entryView(asked, id, entry, createdAt),
      cursorOf: ({ path }) => ({ path }),
    }),
    totalCount: fileCount,
  };
}

function entryView(
  asked: ResolverContext,
  id: string,
  { path, digest, size, sha256, ref }: ArtifactEntry,
  at: number,
): object {
  const address = sha256 === undefined ? (ref ?? null) : asked.address({ get: sha256, size, file: path });
  const base64 = sha256 === undefined ? digest : md5ToBase64(digest);
  return {
    id: wireId("File", `${id}:${path}`),
    name: path,
    displayName: path,
    url: address,
    directUrl: address,
    sizeBytes: size,
    storagePath: null,
    mimetype: null,
    updatedAt: time(at),
    digest: base64,
    md5: base64,
  };
}

/** A type of artifacts in the project of `within`. */
export function typeView(
  asked: ResolverContext,
  within: { readonly entity: string; readonly project: string },
  type: string,
): object {
  const { entity, project } = within;
  const named = async (raw: unknown) => {
    const collection = await asked.tracking.collection({
      entity,
      project,
      name: readArguments(raw, "artifactCollection").needed("name"),
    });
    return collection?.type === type ? collectionView(asked, collection) : null;
  };
  return {
    id: wireId("ArtifactType", type),
    name: type,
    description: null,
    createdAt: async () => time(await firstCollected(asked, { entity, project }, type)),
    artifactCollection: named,
    artifactCollections: (raw: unknown) =>
      collections(asked, { entity, project }, readArguments(raw, "artifactCollections"), type),
    artifact: async (raw: unknown) => {
      const name = readArguments(raw, "artifact").needed("name");
      const found = await asked.tracking.findArtifact({ entity, project }, name);
      return found?.collection.type === type ? artifactView(asked, found) : null;
    },
  };
}

/** The collections among which the oldest is found. */
const COMPARED = 1000;

/** When the first collection of a project was created, of one type or of all; now if there is none. */
export async function firstCollected(
  { tracking }: ResolverContext,
  project: ProjectName,
  type?: string,
): Promise<number> {
  const page = { limit: COMPARED, ...(type !== undefined && { type }) };
  const found = await tracking.store.collections(project, page);
  return Math.min(tracking.now(), ...found.map(({ createdAt }) => createdAt));
}

/** Collections of a project, by name. */
export async function collections(
  asked: ResolverContext,
  project: { readonly entity: string; readonly project: string },
  args: Arguments,
  type?: string,
): Promise<object> {
  for (const name of ["filters", "order"])
    if (!["", "{}", "name", "+name"].includes(args.text(name) ?? ""))
      throw new GraphQLError(`collections are listed by name, and all of them: they take no ${name}`);
  const size = pageSize(args.count("first"));
  const after = cursorIn(args)?.["name"];
  const found = await asked.tracking.store.collections(project, {
    ...(type !== undefined && { type }),
    ...(typeof after === "string" && { after }),
    limit: size + 1,
  });
  const page = connection(found, size, {
    node: (collection) => collectionView(asked, collection),
    cursorOf: ({ name }) => ({ name }),
  });
  return { ...page, totalCount: () => asked.tracking.store.collectionCount(project, type) };
}
