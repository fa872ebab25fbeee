// The fields at the root of GraphQL queries.

import type { Principal } from "../principal.ts";
import { readArguments } from "./arguments.ts";
import { artifactView } from "./artifact-view.ts";
import { type Asked, projectOf, visibleArtifact, wireId } from "./asked.ts";
import { projectView } from "./project-view.ts";

/** The root value of queries. */
export const QUERIES: object = {
  viewer: (_: unknown, { principal, defaultEntity }: Asked) => viewer(principal, defaultEntity),
  // Empty: every advertised feature makes clients send requests that are not supported here.
  serverInfo: () => ({ features: [] }),
  project(raw: unknown, asked: Asked) {
    const args = readArguments(raw, "project");
    return projectView(asked, projectOf(asked, args.text("entityName"), args.text("name")));
  },
  model(raw: unknown, asked: Asked) {
    const args = readArguments(raw, "model");
    return projectView(asked, projectOf(asked, args.text("entityName"), args.text("name")));
  },
  async artifact(raw: unknown, asked: Asked) {
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
