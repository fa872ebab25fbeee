// A tracking store in memory. For tests, examples and services that need not keep data.

import type { Artifact, ArtifactEntry, Collection, ProjectBlob } from "../artifact/artifact.ts";
import type { CollectionChange, TrackingStore } from "../ports/tracking-store.ts";
import type { Line, ProjectName, Run, RunFile, Stream } from "../run/run.ts";

/** The data of a run. */
interface RunParts {
  readonly lines: Record<Stream, Map<number, Line>>;
  readonly files: Map<string, RunFile>;
  readonly uses: Set<string>;
}

/** A `TrackingStore` that keeps everything in memory. */
export function memoryTrackingStore(): TrackingStore {
  const runs = new Map<string, Run>();
  const parts = new Map<string, RunParts>();
  const collections = new Map<string, Collection>();
  const artifacts = new Map<string, Artifact>();
  const entries = new Map<string, readonly ArtifactEntry[]>();
  const aliases = new Map<string, Map<string, string>>();
  const blobs = new Map<string, Map<string, ProjectBlob>>();

  const blobsOf = (project: ProjectName) => {
    const key = keyOf(project);
    const found = blobs.get(key) ?? new Map<string, ProjectBlob>();
    blobs.set(key, found);
    return found;
  };
  const committed = (collectionId: string) =>
    [...artifacts.values()]
      .filter((one) => one.collectionId === collectionId && one.state === "COMMITTED")
      .sort((a, b) => b.versionIndex! - a.versionIndex!);
  const collectionOf = ({ collectionId }: Artifact) => collections.get(collectionId)!;
  const listed = (project: ProjectName) =>
    new Set(
      [...artifacts.values()]
        .filter((one) => isIn(collectionOf(one), project))
        .flatMap(({ id }) => entries.get(id) ?? [])
        .map(({ digest }) => digest),
    );
  const remove = (project: ProjectName, ids: readonly string[]) => {
    const gone = ids.flatMap((id) => entries.get(id) ?? []);
    for (const id of ids) {
      artifacts.delete(id);
      entries.delete(id);
      for (const { uses } of parts.values()) uses.delete(id);
      for (const names of aliases.values())
        for (const [alias, artifactId] of names) if (artifactId === id) names.delete(alias);
    }
    const still = listed(project);
    for (const { digest } of gone) if (!still.has(digest)) blobsOf(project).delete(digest);
  };
  const writeCollection = ({ collection, removed = [], ...change }: CollectionChange) => {
    collections.set(collection.id, collection);
    const names = aliases.get(collection.id) ?? new Map<string, string>();
    aliases.set(collection.id, names);
    remove(collection, removed);
    for (const artifact of change.artifacts ?? []) artifacts.set(artifact.id, artifact);
    for (const one of change.entries ?? [])
      entries.set(
        one.artifactId,
        byText(one.entries, ({ path }) => path),
      );
    for (const blob of change.blobs ?? []) blobsOf(collection).set(blob.md5, blob);
    for (const { alias, artifactId } of change.aliases ?? []) {
      if (artifactId === undefined) names.delete(alias);
      else names.set(alias, artifactId);
    }
  };

  return {
    async run(name) {
      return [...runs.values()].find((run) => isIn(run, name) && run.name === name.name);
    },
    async runWithId(id) {
      return runs.get(id);
    },
    async runs(project, { order, after, limit }) {
      const inOrder = [...runs.values()].filter((run) => isIn(run, project)).sort(byAge);
      if (order === "desc") inOrder.reverse();
      const later = (run: Run) => after === undefined || byAge(run, after) * (order === "asc" ? 1 : -1) > 0;
      return inOrder.filter(later).slice(0, limit);
    },
    async runCount(project) {
      return [...runs.values()].filter((run) => isIn(run, project)).length;
    },
    async lines(runId, stream, { from, limit, every = 1 }) {
      const lines = [...(parts.get(runId)?.lines[stream].values() ?? [])];
      return lines
        .filter(({ line }) => line >= from && line % every === 0)
        .sort((a, b) => a.line - b.line)
        .slice(0, limit);
    },
    async history(runId, { minStep, maxStep, after, limit }) {
      const lines = [...(parts.get(runId)?.lines.history.values() ?? [])];
      return lines
        .filter(({ step }) => step >= minStep && step < maxStep)
        .filter((line) => after === undefined || byStep(line, after) > 0)
        .sort(byStep)
        .slice(0, limit);
    },
    async runFiles(runId, { after, limit }) {
      const files = byText([...(parts.get(runId)?.files.values() ?? [])], ({ name }) => name);
      return files.filter(({ name }) => after === undefined || name > after).slice(0, limit);
    },
    async runFile(runId, name) {
      return parts.get(runId)?.files.get(name);
    },
    async usedBy(runId) {
      return [...(parts.get(runId)?.uses ?? [])].sort();
    },
    async usersOf(artifactId, limit) {
      const users = [...runs.values()].filter(({ id }) => parts.get(id)?.uses.has(artifactId));
      return users.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)).slice(0, limit);
    },
    async commitRun({ run, startsOver = false, lines = [], files = [], removedFiles = [], uses }) {
      if (run.version !== (runs.get(run.id)?.version ?? 0) + 1) return false;
      const holder = [...runs.values()].find((one) => isIn(one, run) && one.name === run.name);
      if (holder !== undefined && holder.id !== run.id) return false;
      runs.set(run.id, run);
      const own = parts.get(run.id) ?? {
        lines: { history: new Map(), events: new Map(), output: new Map() },
        files: new Map(),
        uses: new Set(),
      };
      parts.set(run.id, own);
      if (startsOver) for (const kept of Object.values(own.lines)) kept.clear();
      for (const { stream, lines: written, cutsOff } of lines) {
        const kept = own.lines[stream];
        for (const line of kept.keys()) if (cutsOff && line >= written[0]!.line) kept.delete(line);
        for (const line of written) kept.set(line.line, line);
      }
      for (const file of files) own.files.set(file.name, file);
      for (const name of removedFiles) own.files.delete(name);
      if (uses !== undefined) own.uses.add(uses);
      return true;
    },
    async removeRun({ id, version }) {
      if (runs.get(id)?.version !== version) return false;
      parts.delete(id);
      return runs.delete(id);
    },

    async collection(name) {
      return [...collections.values()].find((one) => isIn(one, name) && one.name === name.name);
    },
    async collectionWithId(id) {
      return collections.get(id);
    },
    async collections(project, { type, after, limit }) {
      const found = [...collections.values()].filter((one) => isIn(one, project));
      return byText(found, ({ name }) => name)
        .filter(
          (one) => (type === undefined || one.type === type) && (after === undefined || one.name > after),
        )
        .slice(0, limit);
    },
    async collectionCount(project, type) {
      const found = [...collections.values()].filter((one) => isIn(one, project));
      return found.filter((one) => type === undefined || one.type === type).length;
    },
    async projects(entity) {
      const found = [...runs.values(), ...collections.values()].filter((one) => one.entity === entity);
      return [...new Set(found.map(({ project }) => project))].sort();
    },
    async types(project) {
      const found = [...collections.values()].filter((one) => isIn(one, project));
      return [...new Set(found.map(({ type }) => type))].sort();
    },
    async artifact(id) {
      return artifacts.get(id);
    },
    async artifactAt(collectionId, versionIndex) {
      return committed(collectionId).find((one) => one.versionIndex === versionIndex);
    },
    async artifactWithDigest(collectionId, digest) {
      return committed(collectionId).find((one) => one.digest === digest);
    },
    async artifacts(collectionId, { before = Number.POSITIVE_INFINITY, limit }) {
      return committed(collectionId)
        .filter(({ versionIndex }) => versionIndex! < before)
        .slice(0, limit);
    },
    async artifactCount(collectionId) {
      return committed(collectionId).length;
    },
    async artifactsBy(run, limit) {
      return [...artifacts.values()]
        .filter(
          (one) => one.state === "COMMITTED" && one.createdBy === run.name && isIn(collectionOf(one), run),
        )
        .sort(byAge)
        .slice(0, limit);
    },
    async aliases(collectionId, artifactId) {
      const found = [...(aliases.get(collectionId) ?? [])].map(([alias, id]) => ({ alias, artifactId: id }));
      return byText(found, ({ alias }) => alias).filter(
        (one) => artifactId === undefined || one.artifactId === artifactId,
      );
    },
    async aliased(collectionId, alias) {
      return artifacts.get(aliases.get(collectionId)?.get(alias) ?? "");
    },
    async entries(artifactId, { after, limit }) {
      const found = entries.get(artifactId) ?? [];
      return found.filter(({ path }) => after === undefined || path > after).slice(0, limit);
    },
    async entriesAt(artifactId, paths) {
      return (entries.get(artifactId) ?? []).filter(({ path }) => paths.includes(path));
    },
    async fileBytes(project) {
      const own = ({ entity, project: name }: ProjectName) =>
        entity === project.entity && name === project.project;
      const files = [...runs.values()]
        .filter(own)
        .flatMap(({ id }) => [...(parts.get(id)?.files.values() ?? [])]);
      const manifests = [...artifacts.values()].flatMap(({ collectionId, manifest }) =>
        manifest !== undefined && own(collections.get(collectionId)!) ? [manifest] : [],
      );
      return [...blobsOf(project).values(), ...files, ...manifests].reduce((sum, { size }) => sum + size, 0);
    },
    async blobs(project, md5s) {
      const own = blobsOf(project);
      return byText([...new Set(md5s)], (md5) => md5).flatMap((md5) => own.get(md5) ?? []);
    },
    async addBlob(project, blob) {
      blobsOf(project).set(blob.md5, blob);
    },
    async commitCollection(change) {
      const { collection } = change;
      if (collection.version !== (collections.get(collection.id)?.version ?? 0) + 1) return false;
      const holder = [...collections.values()].find(
        (one) => isIn(one, collection) && one.name === collection.name,
      );
      if (holder !== undefined && holder.id !== collection.id) return false;
      writeCollection(change);
      return true;
    },
    async forgetUnfinished(before) {
      for (const one of [...artifacts.values()])
        if (one.state === "PENDING" && one.createdAt < before) remove(collectionOf(one), [one.id]);
      for (const [key, own] of blobs) {
        const [entity = "", project = ""] = JSON.parse(key) as string[];
        const still = listed({ entity, project });
        for (const blob of [...own.values()])
          if (blob.createdAt < before && !still.has(blob.md5)) own.delete(blob.md5);
      }
    },
    async usesBlob(sha256) {
      const named = (one: { readonly sha256: string }) => one.sha256 === sha256;
      return (
        [...blobs.values()].some((own) => [...own.values()].some(named)) ||
        [...parts.values()].some(({ files }) => [...files.values()].some(named)) ||
        [...artifacts.values()].some(({ manifest }) => manifest?.sha256 === sha256)
      );
    },
  };
}

function keyOf({ entity, project }: ProjectName): string {
  return JSON.stringify([entity, project]);
}

function isIn(one: ProjectName, { entity, project }: ProjectName): boolean {
  return one.entity === entity && one.project === project;
}

function byText<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  return [...items].sort((a, b) => (textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0));
}

type Aged = { readonly createdAt: number; readonly id: string };

function byAge(a: Aged, b: Aged): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function byStep(a: Pick<Line, "line" | "step">, b: Pick<Line, "line" | "step">): number {
  return a.step - b.step || a.line - b.line;
}
