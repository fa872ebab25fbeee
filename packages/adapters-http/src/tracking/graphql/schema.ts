// The served part of W&B's GraphQL interface: the fields that its clients request. Documents are not validated against
// it, so that newer clients may request more. Resolvers check arguments and variables.

import { buildSchema, type GraphQLSchema } from "graphql";
import { MEMBERS, membersOf } from "../resolvers/mutation-members.ts";

/** The inputs of mutations, which older clients look up by their names. */
function inputs(): string {
  return (Object.keys(MEMBERS) as (keyof typeof MEMBERS)[])
    .map((name) => {
      const members = membersOf(name).map((member) => `${member}: JSON`);
      return `input ${name[0]!.toUpperCase()}${name.slice(1)}Input { ${members.join(" ")} }\n`;
    })
    .join("");
}

/** The schema. `JSON` stands for every scalar and every input: resolvers check their arguments. */
export const SCHEMA: GraphQLSchema = buildSchema(
  `
scalar JSON

type Query {
  viewer: User
  serverInfo: ServerInfo
  project(name: JSON, entityName: JSON): Project
  model(name: JSON, entityName: JSON): Project
  models(entityName: JSON, after: JSON, first: JSON): ProjectConnection
  artifact(id: JSON): Artifact
}

type Mutation {
  upsertModel(input: JSON): UpsertModelPayload
  upsertBucket(input: JSON): UpsertBucketPayload
  deleteRun(input: JSON): DeleteRunPayload
  deleteFiles(input: JSON): SuccessPayload
  createRunFiles(input: JSON): CreateRunFilesPayload
  createArtifact(input: JSON): CreateArtifactPayload
  createArtifactManifest(input: JSON): ArtifactManifestPayload
  updateArtifactManifest(input: JSON): ArtifactManifestPayload
  createArtifactFiles(input: JSON): CreateArtifactFilesPayload
  commitArtifact(input: JSON): ArtifactPayload
  updateArtifact(input: JSON): ArtifactPayload
  deleteArtifact(input: JSON): ArtifactPayload
  useArtifact(input: JSON): ArtifactPayload
  addAliases(input: JSON): SuccessPayload
  deleteAliases(input: JSON): SuccessPayload
}

type User {
  id: ID
  name: JSON
  username: JSON
  email: JSON
  entity: JSON
  admin: JSON
  flags: JSON
  deletedAt: JSON
  defaultEntity: Entity
  teams: EntityConnection
  apiKeys: EntityConnection
}
type Entity { id: ID name: JSON }
type EntityConnection { edges: [EntityEdge] }
type EntityEdge { node: Entity }
type ServerInfo { features: [JSON] cliVersionInfo: JSON }
# Clients before 0.19 look its fields up.
type ServerSettings { url: JSON }

type Project {
  id: ID
  internalId: ID
  name: JSON
  entityName: JSON
  description: JSON
  entity: Entity
  createdAt: JSON
  isBenchmark: JSON
  user: User
  readOnly: JSON
  runCount(filters: JSON): JSON
  # Clients send a description with questions too; it changes nothing.
  run(name: JSON, desc: JSON): Run
  bucket(name: JSON, missingOk: JSON, desc: JSON): Run
  runs(filters: JSON, after: JSON, first: JSON, order: JSON): RunConnection
  artifact(name: JSON): Artifact
  artifactType(name: JSON): ArtifactType
  artifactTypes(after: JSON, first: JSON): ArtifactTypeConnection
  artifactCollection(name: JSON): ArtifactSequence
  artifactCollections(after: JSON, first: JSON, filters: JSON, order: JSON): ArtifactCollectionConnection
  artifactCollectionMembership(name: JSON): ArtifactCollectionMembership
}

type ProjectConnection { edges: [ProjectEdge] pageInfo: PageInfo }
type ProjectEdge { node: Project cursor: JSON }

type Run {
  id: ID
  name: JSON
  displayName: JSON
  description: JSON
  notes: JSON
  state: JSON
  config: JSON
  wandbConfig(keys: JSON): JSON
  summaryMetrics: JSON
  systemMetrics: JSON
  tags: JSON
  group: JSON
  jobType: JSON
  commit: JSON
  readOnly: JSON
  sweepName: JSON
  stopped: JSON
  createdAt: JSON
  heartbeatAt: JSON
  user: User
  project: Project
  projectId: JSON
  historyLineCount: JSON
  eventsLineCount: JSON
  logLineCount: JSON
  logLines(first: JSON, after: JSON, last: JSON, useImprovedPagination: JSON): LogLineConnection
  historyTail: JSON
  eventsTail: JSON
  historyKeys: JSON
  history(minStep: JSON, maxStep: JSON, samples: JSON): JSON
  events(samples: JSON): JSON
  sampledHistory(specs: JSON): JSON
  parquetHistory(liveKeys: JSON): ParquetHistory
  fileCount: JSON
  files(names: JSON, pattern: JSON, after: JSON, first: JSON): FileConnection
  outputArtifacts(after: JSON, first: JSON): ArtifactConnection
  inputArtifacts(after: JSON, first: JSON): InputArtifactConnection
}
type RunConnection { edges: [RunEdge] pageInfo: PageInfo totalCount: JSON }
type RunEdge { node: Run cursor: JSON }
type LogLineConnection { edges: [LogLineEdge] pageInfo: PageInfo }
type LogLineEdge { node: LogLine cursor: JSON }
type LogLine { number: JSON timestamp: JSON level: JSON label: JSON line: JSON }
type ParquetHistory { parquetUrls: JSON liveData: JSON }

type File {
  id: ID
  name: JSON
  displayName: JSON
  url(upload: JSON): JSON
  directUrl: JSON
  uploadUrl: JSON
  uploadHeaders: JSON
  sizeBytes: JSON
  storagePath: JSON
  mimetype: JSON
  updatedAt: JSON
  digest: JSON
  md5: JSON
  artifact: Artifact
}
type FileConnection { edges: [FileEdge] pageInfo: PageInfo totalCount: JSON }
type FileEdge { node: File cursor: JSON }

interface ArtifactCollection { id: ID name: JSON }
type ArtifactSequence implements ArtifactCollection {
  id: ID
  name: JSON
  description: JSON
  createdAt: JSON
  updatedAt: JSON
  project: Project
  defaultArtifactType: ArtifactType
  tags: TagConnection
  digestAlgorithm: JSON
  latestArtifact: Artifact
  aliases(after: JSON, first: JSON): AliasConnection
  artifactMembership(aliasName: JSON): ArtifactCollectionMembership
  artifacts(after: JSON, first: JSON, order: JSON, filters: JSON): VersionedArtifactConnection
}
type ArtifactCollectionConnection { edges: [ArtifactCollectionEdge] pageInfo: PageInfo totalCount: JSON }
type ArtifactCollectionEdge { node: ArtifactSequence cursor: JSON }
type ArtifactCollectionMembership {
  id: ID
  versionIndex: JSON
  createdAt: JSON
  aliases: [ArtifactAlias]
  artifactCollection: ArtifactSequence
  artifact: Artifact
  files(names: JSON, after: JSON, first: JSON): FileConnection
}
type ArtifactCollectionMembershipConnection { edges: [ArtifactCollectionMembershipEdge] pageInfo: PageInfo }
type ArtifactCollectionMembershipEdge { node: ArtifactCollectionMembership cursor: JSON }
type ArtifactType {
  id: ID
  name: JSON
  description: JSON
  createdAt: JSON
  artifactCollection(name: JSON): ArtifactSequence
  artifactCollections(after: JSON, first: JSON, filters: JSON, order: JSON): ArtifactCollectionConnection
  artifact(name: JSON): Artifact
}
type ArtifactTypeConnection { edges: [ArtifactTypeEdge] pageInfo: PageInfo totalCount: JSON }
type ArtifactTypeEdge { node: ArtifactType cursor: JSON }
type ArtifactAlias { id: ID alias: JSON artifactCollection: ArtifactSequence }
type AliasConnection { edges: [AliasEdge] pageInfo: PageInfo }
type AliasEdge { node: ArtifactAlias cursor: JSON }
type Tag { id: ID name: JSON }
type TagConnection { edges: [TagEdge] }
type TagEdge { node: Tag }
type Artifact {
  id: ID
  artifactSequence: ArtifactSequence
  versionIndex: JSON
  artifactType: ArtifactType
  description: JSON
  metadata: JSON
  ttlDurationSeconds: JSON
  ttlIsInherited: JSON
  tags: [Tag]
  historyStep: JSON
  state: JSON
  size: JSON
  digest: JSON
  digestAlgorithm: JSON
  commitHash: JSON
  fileCount: JSON
  createdAt: JSON
  updatedAt: JSON
  aliases: [ArtifactAlias]
  createdBy: Run
  usedBy: RunConnection
  artifactMemberships: ArtifactCollectionMembershipConnection
  currentManifest: ArtifactManifest
  files(names: JSON, after: JSON, first: JSON): FileConnection
}
type ArtifactConnection { edges: [ArtifactEdge] pageInfo: PageInfo totalCount: JSON }
type InputArtifactConnection { edges: [ArtifactEdge] pageInfo: PageInfo totalCount: JSON }
type VersionedArtifactConnection { edges: [ArtifactEdge] pageInfo: PageInfo totalCount: JSON }
type ArtifactEdge { node: Artifact version: JSON cursor: JSON }
type ArtifactManifest { id: ID file: File }

input CreateArtifactFileSpecInput { artifactID: ID artifactManifestID: ID name: JSON md5: JSON }

type PageInfo { endCursor: JSON hasNextPage: JSON }

type UpsertModelPayload { model: Project project: Project inserted: JSON }
type UpsertBucketPayload { bucket: Run inserted: JSON }
type DeleteRunPayload { clientMutationId: JSON }
type CreateRunFilesPayload { runID: ID uploadHeaders: JSON files: [File] }
type CreateArtifactPayload { artifact: Artifact }
type ArtifactManifestPayload { artifactManifest: ArtifactManifest }
type CreateArtifactFilesPayload { files: FileConnection }
type ArtifactPayload { artifact: Artifact }
type SuccessPayload { success: JSON }
${inputs()}`,
  { assumeValid: true },
);
