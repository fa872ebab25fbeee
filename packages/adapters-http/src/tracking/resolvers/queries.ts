// The fields at the root of GraphQL queries.

import type { Principal } from "../../request/principal.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { artifactView } from "./artifact-view.ts";
import { connection, cursorIn, pageSize } from "./connection.ts";
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
  models: (raw: unknown, asked: ResolverContext) => projects(asked, readArguments(raw, "models")),
  async artifact(raw: unknown, asked: ResolverContext) {
    const found = await visibleArtifact(asked, readArguments(raw, "artifact").text("id"));
    return found === undefined ? null : artifactView(asked, found);
  },
};

/** The projects of an entity that the caller may see, by name. */
async function projects(asked: ResolverContext, args: Arguments): Promise<object> {
  const entity = args.text("entityName") || asked.defaultEntity;
  const size = pageSize(args.count("first"));
  const after = cursorIn(args)?.["name"];
  const found = (await asked.tracking.store.projects(entity)).filter(
    (name) => asked.principal.allows(entity, name) && (typeof after !== "string" || name > after),
  );
  return connection(found, size, {
    node: (project) => projectView(asked, { entity, project }),
    cursorOf: (name) => ({ name }),
  });
}

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
