// A project for GraphQL clients. Every project that the caller may see exists, even without content.

import type { ProjectName } from "@assay/tracking-core/internal";
import { runCount, runList } from "../runs/run-list.ts";
import { readArguments } from "./arguments.ts";
import {
  artifactView,
  collections,
  collectionView,
  firstCollected,
  membershipView,
  typeView,
} from "./artifact-view.ts";
import { connection } from "./connection.ts";
import { type ResolverContext, wireId } from "./resolver-context.ts";
import { projectNumber, time } from "./scalars.ts";

/** A project. */
export function projectView(asked: ResolverContext, { entity, project }: ProjectName): object {
  const name: ProjectName = { entity, project };
  const { tracking } = asked;
  const run = async (raw: unknown) => {
    const found = await tracking.store.run({ ...name, name: readArguments(raw, "run").needed("name") });
    return found === undefined ? null : asked.views.run(asked, found);
  };
  const artifact = (raw: unknown) =>
    tracking.findArtifact(name, readArguments(raw, "artifact").needed("name"));
  return {
    id: wireId("Project", JSON.stringify([entity, project])),
    internalId: wireId("ProjectInternalId", String(projectNumber(name))),
    name: project,
    entityName: entity,
    description: null,
    entity: { id: wireId("Entity", entity), name: entity },
    // Its first run or collection determines when a project was created.
    createdAt: async () => {
      const [first] = await tracking.store.runs(name, { order: "asc", limit: 1 });
      return time(Math.min(first?.createdAt ?? tracking.now(), await firstCollected(asked, name)));
    },
    isBenchmark: false,
    user: null,
    readOnly: false,
    run,
    bucket: run,
    runCount: (raw: unknown) => runCount(asked, name, readArguments(raw, "runCount")),
    runs: (raw: unknown) => runList(asked, name, readArguments(raw, "runs")),
    artifact: async (raw: unknown) => {
      const found = await artifact(raw);
      return found === undefined ? null : artifactView(asked, found);
    },
    artifactCollectionMembership: async (raw: unknown) => {
      const found = await artifact(raw);
      return found === undefined ? null : membershipView(asked, found);
    },
    artifactCollection: async (raw: unknown) => {
      const collectionName = { ...name, name: readArguments(raw, "artifactCollection").needed("name") };
      const collection = await tracking.collection(collectionName);
      return collection === undefined ? null : collectionView(asked, collection);
    },
    artifactType: (raw: unknown) => typeView(asked, name, readArguments(raw, "artifactType").needed("name")),
    artifactTypes: async () => {
      const types = await tracking.store.types(name);
      return connection(types, types.length, {
        node: (type) => typeView(asked, name, type),
        cursorOf: (type) => ({ type }),
      });
    },
    artifactCollections: (raw: unknown) =>
      collections(asked, name, readArguments(raw, "artifactCollections")),
  };
}
