// The root fields of GraphQL mutations, which clients write with.

import type { Artifact, Run } from "@assay/tracking-core";
import { type CollectedArtifact, finiteObject, md5FromBase64 } from "@assay/tracking-core/internal";
import { GraphQLError } from "graphql";
import { type Arguments, asksNothing, readArguments } from "./arguments.ts";
import { artifactView, manifestView } from "./artifact-view.ts";
import { type MEMBERS, membersOf } from "./mutation-members.ts";
import { projectView } from "./project-view.ts";
import {
  missing,
  neededArtifact,
  ownId,
  projectOf,
  type ResolverContext,
  resultOf,
  wireId,
} from "./resolver-context.ts";
import { neededRun, runView } from "./run-view.ts";

type Mutation = (input: Arguments, asked: ResolverContext) => Promise<object>;

const MUTATION: { readonly [name in keyof typeof MEMBERS]: Mutation } = {
  upsertModel,
  upsertBucket,
  deleteRun,
  deleteFiles,
  createRunFiles,
  createArtifact,
  createArtifactManifest,
  updateArtifactManifest,
  createArtifactFiles,
  commitArtifact,
  updateArtifact,
  deleteArtifact,
  useArtifact,
  addAliases,
  deleteAliases,
};

/** The root value of mutations. */
export const MUTATIONS: object = Object.fromEntries(
  Object.entries(MUTATION).map(([name, act]) => {
    const known = new Set(membersOf(name as keyof typeof MEMBERS));
    return [name, (raw: unknown, asked: ResolverContext) => act(inputOf(raw, name, known), asked)];
  }),
);

/** Alternatives to unsupported members. */
const INSTEAD: Readonly<Record<string, string>> = {
  ttlDurationSeconds: "artifacts are kept until they are deleted",
  distributedID: "one process logs all of an artifact",
  sweep: "start the runs of a search yourself, and give them one group",
};

/** The input of a mutation. Throws for a member that would be ignored. */
function inputOf(raw: unknown, name: string, known: ReadonlySet<string>): Arguments {
  const { input = {} } = raw as { input?: unknown };
  for (const [member, value] of Object.entries(input ?? {})) {
    if (known.has(member) || asksNothing(value)) continue;
    const instead = Object.hasOwn(INSTEAD, member) ? `: ${INSTEAD[member]}` : "";
    throw new GraphQLError(`${name}.${member.slice(0, 40)} is not supported${instead}`);
  }
  return readArguments(input ?? {}, name);
}

/** Projects need not be created: they exist once something is logged. */
async function upsertModel(input: Arguments, asked: ResolverContext): Promise<object> {
  const project = projectView(asked, projectOf(asked, input.text("entityName"), input.text("name")));
  return { model: project, project, inserted: false };
}

async function upsertBucket(input: Arguments, asked: ResolverContext): Promise<object> {
  const { tracking } = asked;
  if (asked.sharesRuns)
    throw new GraphQLError("a run cannot be shared by several programs: give each its own, in one group");
  if ((input.text("state") ?? "running") !== "running")
    throw new GraphQLError("upsertBucket.state is not supported: a run begins when its program does");
  const name = input.text("name");
  const known = name === undefined ? await visibleRun(asked, input.text("id")) : undefined;
  const target = known ?? {
    ...projectOf(asked, input.text("entityName"), input.text("modelName")),
    name: input.needed("name"),
  };
  const config = input.text("config");
  if (isFork(config))
    throw new GraphQLError("runs cannot be forked: resume one, or log to a new one from the start");
  // A program without tags keeps those that its run has.
  const tags = input.texts("tags");
  const upsert = {
    displayName: input.text("displayName"),
    config,
    summary: input.text("summaryMetrics"),
    notes: input.text("notes") ?? input.text("description"),
    group: input.text("groupName"),
    jobType: input.text("jobType"),
    ...((tags.length > 0 || (known !== undefined && input.has("tags"))) && { tags }),
  };
  // A program names its run, and adds its ID if it has queried and resumes it. An edit of a run only has its ID.
  const resumes = input.text("id") !== undefined;
  const made = resultOf(
    await tracking.upsertRun(target, upsert, { runs: known === undefined, mayStartOver: !resumes }),
  );
  const bucket = runView(asked, made.run);
  // A client continues after this many lines, whether it resumes the run or not; others start at the first line.
  return { bucket: resumes ? bucket : { ...bucket, historyLineCount: 0 }, inserted: made.inserted };
}

/** Whether a client starts a run from a step of another: it writes that into its own part of the configuration. */
function isFork(config: string | undefined): boolean {
  if (config === undefined || !config.includes("branch_point")) return false;
  const own = (finiteObject(config)?.value["_wandb"] ?? {}) as { readonly value?: object };
  return Object.hasOwn(own.value ?? {}, "branch_point");
}

async function visibleRun(asked: ResolverContext, wire: string | undefined): Promise<Run> {
  const id = ownId("Run", wire);
  const run = id === undefined ? undefined : await asked.tracking.store.runWithId(id);
  return run !== undefined && asked.principal.allows(run.entity, run.project) ? run : missing("run");
}

async function deleteRun(input: Arguments, asked: ResolverContext): Promise<object> {
  const run = await visibleRun(asked, input.text("id"));
  if (input.flag("deleteArtifacts") === true) await deleteArtifactsOf(run, asked);
  await asked.tracking.deleteRun(run);
  return { clientMutationId: null };
}

/** The most artifacts to delete with their run. */
const MOST_ARTIFACTS = 1000;

async function deleteArtifactsOf(run: Run, { tracking }: ResolverContext): Promise<void> {
  const logged = await tracking.store.artifactsBy(run, MOST_ARTIFACTS + 1);
  if (logged.length > MOST_ARTIFACTS)
    throw new GraphQLError(
      `at most ${MOST_ARTIFACTS} artifacts are deleted with their run: delete some of them first`,
    );
  for (const { id } of logged) {
    const deleted = await tracking.deleteArtifact(id, { withAliases: true });
    if (deleted !== undefined) resultOf(deleted);
  }
}

const MOST_FILES = 10_000;

async function deleteFiles(input: Arguments, asked: ResolverContext): Promise<object> {
  const ids = input.texts("files");
  if (ids.length > MOST_FILES) throw new GraphQLError(`at most ${MOST_FILES} files per request`);
  const byRun = new Map<string, string[]>();
  for (const wire of ids) {
    const [, run = "", name = ""] = /^([^:]*):(.*)$/s.exec(ownId("File", wire) ?? "") ?? [];
    const names = byRun.get(run) ?? [];
    names.push(name);
    byRun.set(run, names);
  }
  for (const run of byRun.keys()) await visibleRun(asked, wireId("Run", run));
  for (const [run, names] of byRun) await asked.tracking.deleteRunFiles(run, names);
  return { success: true };
}

async function createRunFiles(input: Arguments, asked: ResolverContext): Promise<object> {
  const project = projectOf(asked, input.text("entityName"), input.text("projectName"));
  const run = await neededRun(asked, project, input.needed("runName"));
  const files = input.texts("files");
  if (files.length > MOST_FILES) throw new GraphQLError(`at most ${MOST_FILES} files per request`);
  return {
    runID: wireId("Run", run.id),
    uploadHeaders: [],
    files: files.map((file) => ({
      name: file,
      uploadUrl: asked.address({ put: "run", ...project, run: run.name, file }),
    })),
  };
}

async function createArtifact(input: Arguments, asked: ResolverContext): Promise<object> {
  const project = projectOf(asked, input.text("entityName"), input.text("projectName"));
  const [name] = [...input.texts("artifactCollectionNames"), input.text("artifactCollectionName")];
  if (name === undefined) throw new GraphQLError("createArtifact.artifactCollectionName is required");
  const artifact = resultOf(
    await asked.tracking.createArtifact({
      collection: { ...project, name },
      type: input.needed("artifactTypeName"),
      digest: input.needed("digest"),
      aliases: input.list("aliases").map((alias) => alias.needed("alias")),
      tags: input.list("tags").map((tag) => tag.needed("tagName")),
      description: input.text("description"),
      metadata: input.text("metadata"),
      createdBy: input.text("runName"),
      historyStep: input.count("historyStep"),
      deduplicate: input.flag("enableDigestDeduplication") !== false,
    }),
  );
  return { artifact: artifactView(asked, await collected(asked, artifact)) };
}

async function collected({ tracking }: ResolverContext, { id }: Artifact): Promise<CollectedArtifact> {
  return (await tracking.artifact(id)) ?? missing("artifact");
}

const MANIFEST_TYPES = [undefined, "FULL"];

async function createArtifactManifest(input: Arguments, asked: ResolverContext): Promise<object> {
  const type = input.text("type");
  if (!MANIFEST_TYPES.includes(type))
    throw new GraphQLError(`manifests of type ${type?.slice(0, 40)} are not supported: send a full one`);
  const { artifact } = await neededArtifact(asked, input.text("artifactID"));
  return { artifactManifest: manifestToUpload(asked, artifact, input.text("digest")) };
}

async function updateArtifactManifest(input: Arguments, asked: ResolverContext): Promise<object> {
  const id = ownId("ArtifactManifest", input.text("artifactManifestID"));
  const { artifact } = await neededArtifact(asked, id && wireId("Artifact", id));
  return { artifactManifest: manifestToUpload(asked, artifact, input.text("digest")) };
}

/**
 * Clients first create a manifest without a digest, for its ID, and then request the address for one with a digest.
 */
function manifestToUpload(asked: ResolverContext, artifact: Artifact, digest: string | undefined): object {
  if (!digest) return manifestView(asked, artifact);
  return manifestView(
    asked,
    artifact,
    asked.address({ put: "manifest", artifact: artifact.id, md5: md5Of(digest) }),
  );
}

function md5Of(digest: string): string {
  const md5 = md5FromBase64(digest);
  if (md5 === undefined)
    throw new GraphQLError("a digest must be an MD5 in base64; other digests are not supported");
  return md5;
}

async function createArtifactFiles(input: Arguments, asked: ResolverContext): Promise<object> {
  const { tracking } = asked;
  const specs = input.list("artifactFiles");
  if (specs.length > MOST_FILES) throw new GraphQLError(`at most ${MOST_FILES} files per request`);
  const artifacts = new Map<string, CollectedArtifact>();
  for (const id of new Set(specs.map((spec) => spec.needed("artifactID"))))
    artifacts.set(id, await neededArtifact(asked, id));
  const files = specs.map((spec) => {
    const wire = spec.needed("artifactID");
    return {
      wire,
      within: artifacts.get(wire)!.collection,
      name: spec.text("name") ?? "",
      md5: md5Of(spec.needed("md5")),
    };
  });
  const have = new Set<string>();
  for (const [id, { collection }] of artifacts) {
    const own = files.filter(({ wire }) => wire === id).map(({ md5 }) => md5);
    for (const { md5 } of await tracking.store.blobs(collection, own)) have.add(`${id} ${md5}`);
  }
  // In the requested order, by which clients match them.
  const edges = files.map(({ wire, within: { entity, project }, name, md5 }) => ({
    node: {
      name,
      displayName: name,
      storagePath: name,
      uploadHeaders: [],
      // None, because the bytes are already stored.
      uploadUrl: have.has(`${wire} ${md5}`) ? null : asked.address({ put: "blob", entity, project, md5 }),
      artifact: { id: wire },
    },
  }));
  return { files: { edges, pageInfo: { endCursor: null, hasNextPage: false } } };
}

async function commitArtifact(input: Arguments, asked: ResolverContext): Promise<object> {
  const { artifact } = await neededArtifact(asked, input.text("artifactID"));
  return changed(asked, await asked.tracking.commitArtifact(artifact.id));
}

async function updateArtifact(input: Arguments, asked: ResolverContext): Promise<object> {
  const { artifact } = await neededArtifact(asked, input.text("artifactID"));
  const tags = (name: string) => input.list(name).map((tag) => tag.needed("tagName"));
  const patch = {
    description: input.text("description"),
    metadata: input.text("metadata"),
    tagsToAdd: tags("tagsToAdd"),
    tagsToDelete: tags("tagsToDelete"),
  };
  return changed(asked, await asked.tracking.updateArtifact(artifact.id, patch));
}

async function deleteArtifact(input: Arguments, asked: ResolverContext): Promise<object> {
  const { artifact } = await neededArtifact(asked, input.text("artifactID"));
  const withAliases = input.flag("deleteAliases") === true;
  return changed(asked, await asked.tracking.deleteArtifact(artifact.id, { withAliases }));
}

function changed(
  asked: ResolverContext,
  result: Awaited<ReturnType<ResolverContext["tracking"]["commitArtifact"]>>,
): object {
  return { artifact: artifactView(asked, result === undefined ? missing("artifact") : resultOf(result)) };
}

async function useArtifact(input: Arguments, asked: ResolverContext): Promise<object> {
  const found = await neededArtifact(asked, input.text("artifactID"));
  const project = projectOf(asked, input.text("entityName"), input.text("projectName"));
  const run = await neededRun(asked, project, input.needed("runName"));
  await asked.tracking.useArtifact(run, found.artifact.id);
  return { artifact: artifactView(asked, found) };
}

async function addAliases(input: Arguments, asked: ResolverContext): Promise<object> {
  return changeAliases(input, asked, "add");
}

async function deleteAliases(input: Arguments, asked: ResolverContext): Promise<object> {
  return changeAliases(input, asked, "remove");
}

async function changeAliases(
  input: Arguments,
  asked: ResolverContext,
  how: "add" | "remove",
): Promise<object> {
  const { artifact, collection } = await neededArtifact(asked, input.text("artifactID"));
  const wanted = input.list("aliases");
  const other = wanted
    .map((alias) => alias.text("artifactCollectionName"))
    .find((name) => name !== undefined && name !== collection.name);
  if (other !== undefined)
    throw new GraphQLError("an artifact has aliases only in its own collection: links are not supported");
  const aliases = wanted.map((alias) => alias.needed("alias"));
  const result = await asked.tracking.changeAliases(artifact.id, { [how]: aliases });
  if (result === undefined) return missing("artifact");
  resultOf(result);
  return { success: true };
}
