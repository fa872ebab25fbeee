// The fields at the root of GraphQL queries.

import type { Principal } from "../../request/principal.ts";
import { readArguments } from "./arguments.ts";
import { artifactView } from "./artifact-view.ts";
import { projectView } from "./project-view.ts";
import { projectOf, type ResolverContext, visibleArtifact, wireId } from "./resolver-context.ts";

/** Older clients compare versions with it, to know what the server can do. */
const NEWEST_CLIENT = "0.31.0";

/** The root value of queries. */
export const QUERIES: object = {
  viewer: (_: unknown, { principal, defaultEntity }: ResolverContext) => viewer(principal, defaultEntity),
  // Empty: every advertised feature makes clients send requests that are not supported here.
  serverInfo: () => ({ features: [], cliVersionInfo: { max_cli_version: NEWEST_CLIENT } }),
  project(raw: unknown, asked: ResolverContext) {
    const args = readArguments(raw, "project");
    return projectView(asked, projectOf(asked, args.text("entityName"), args.text("name")));
  },
  model(raw: unknown, asked: ResolverContext) {
    const args = readArguments(raw, "model");
    return projectView(asked, projectOf(asked, args.text("entityName"), args.text("name")));
  },
  async artifact(raw: unknown, asked: ResolverContext) {
    const found = await visibleArtifact(asked, readArguments(raw, "artifact").text("id"));
    return found === undefined ? null : artifactView(asked, found);
  },
};

function viewer({ id }: Principal, defaultEntity: string): object {
  return {
    id: wireId("User", id),
    name: id,
    username: id,
    email: "",
    entity: defaultEntity,
    admin: false,
    flags: "{}",
    deletedAt: null,
    defaultEntity: { id: wireId("Entity", defaultEntity), name: defaultEntity },
    teams: { edges: [] },
    apiKeys: { edges: [] },
  };
}
