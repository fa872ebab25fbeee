// The context of resolvers: the caller of a request about runs and artifacts, and what it may see.

import type { Result } from "@assay/base";
import type { Run, TrackingService } from "@assay/tracking-core";
import type { CollectedArtifact, ProjectName } from "@assay/tracking-core/internal";
import { GraphQLError } from "graphql";
import type { Principal } from "../../request/principal.ts";
import { issuesText } from "../../response/truncate-issues.ts";
import type { FileTransfer } from "../access/signed-urls.ts";

/** The views of objects. They refer to each other, so each file finds the others here. */
export interface Views {
  project(asked: ResolverContext, name: ProjectName): object;
  run(asked: ResolverContext, run: Run): object;
  artifact(asked: ResolverContext, found: CollectedArtifact): object;
}

/** A request of an authorised caller. */
export interface ResolverContext {
  readonly tracking: TrackingService;
  readonly principal: Principal;
  /** The default entity. */
  readonly defaultEntity: string;
  readonly views: Views;
  /** Whether the caller is one of several programs that log to the same run. */
  readonly sharesRuns: boolean;
  /** The absolute address of an errand. */
  address(errand: FileTransfer): string;
}

const DEFAULT_PROJECT = "uncategorized";

/** The project with this name, if the principal may see it; otherwise throws, whether or not it exists. */
export function projectOf(
  { principal, defaultEntity }: ResolverContext,
  entity: string | undefined,
  project: string | undefined,
): ProjectName {
  const name = { entity: entity || defaultEntity, project: project || DEFAULT_PROJECT };
  if (principal.allows(name.entity, name.project)) return name;
  throw new GraphQLError(`you have no access to this project: ${name.entity}/${name.project}`.slice(0, 300), {
    extensions: { code: "PERMISSION_ERROR" },
  });
}

/** An ID for clients: opaque, and specific to one kind of object. */
export function wireId(kind: string, id: string): string {
  return Buffer.from(`${kind}:${id}`).toString("base64");
}

/** The internal ID in a client's ID; undefined if it is not of this kind. */
export function ownId(kind: string, wire: string | undefined): string | undefined {
  if (wire === undefined || wire.length > 1024) return undefined;
  const text = Buffer.from(wire, "base64").toString("utf8");
  return text.startsWith(`${kind}:`) ? text.slice(kind.length + 1) : undefined;
}

/** The artifact with this ID, if it exists and the principal may see it. */
export async function visibleArtifact(
  { tracking, principal }: ResolverContext,
  wire: string | undefined,
): Promise<CollectedArtifact | undefined> {
  const id = ownId("Artifact", wire);
  const found = id === undefined ? undefined : await tracking.artifact(id);
  const visible = found !== undefined && principal.allows(found.collection.entity, found.collection.project);
  return visible ? found : undefined;
}

/** The artifact with this ID; throws if it does not exist or the principal may not see it. */
export async function neededArtifact(
  asked: ResolverContext,
  wire: string | undefined,
): Promise<CollectedArtifact> {
  return (await visibleArtifact(asked, wire)) ?? missing("artifact");
}

/** Throws the error for an object that does not exist. */
export function missing(what: string): never {
  throw new GraphQLError(`there is no such ${what}`, { extensions: { code: "NOT_FOUND" } });
}

/** The value of a result; throws its issues as a sentence. */
export function resultOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new GraphQLError(issuesText(result.issues), { extensions: { code: result.issues[0]?.code } });
}
