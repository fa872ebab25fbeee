// TrackingStore: stores runs with their lines, and artifacts with their aliases. The bytes of files are in the artifact
// store; this store records which of them belong to what.

import type {
  Artifact,
  ArtifactEntry,
  Collection,
  CollectionName,
  ProjectBlob,
} from "../artifact/artifact.ts";
import type { Line, ProjectName, Run, RunFile, RunName, Stream } from "../run/run.ts";

/** Lines to write, replacing those with the same numbers. */
export interface WrittenLines {
  /** Their stream. */
  readonly stream: Stream;
  /** With consecutive ascending numbers. Not empty. */
  readonly lines: readonly Line[];
  /** Whether to remove all later lines. */
  readonly cutsOff: boolean;
}

/** A change of a run, written atomically. */
export interface RunChange {
  /** The run, new or changed. */
  readonly run: Run;
  /** Whether to remove all existing lines of the run first. Default false. */
  readonly startsOver?: boolean;
  /** Lines of the run. */
  readonly lines?: readonly WrittenLines[];
  /** Files, new or replacing those with the same names. */
  readonly files?: readonly RunFile[];
  /** The names of files to remove. */
  readonly removedFiles?: readonly string[];
  /** An artifact that the run used. */
  readonly uses?: string;
}

/** A change of a collection, written atomically. */
export interface CollectionChange {
  /** The collection, new or changed. */
  readonly collection: Collection;
  /** Artifacts of the collection, new or changed. */
  readonly artifacts?: readonly Artifact[];
  /** All entries of some of its artifacts. */
  readonly entries?: readonly { readonly artifactId: string; readonly entries: readonly ArtifactEntry[] }[];
  /** Aliases with the artifacts they now mean; undefined removes them. */
  readonly aliases?: readonly { readonly alias: string; readonly artifactId: string | undefined }[];
  /**
   * Artifacts to remove, with their entries and aliases, and with those blobs of the project that no other artifact
   * lists.
   */
  readonly removed?: readonly string[];
  /** Blobs that the project now has. */
  readonly blobs?: readonly ProjectBlob[];
}

/** An alias of a collection. */
export interface Alias {
  /** The alias. */
  readonly alias: string;
  /** The artifact that it means. */
  readonly artifactId: string;
}

/** Keeps runs. */
export interface RunStore {
  /** The run with this name. */
  run(name: RunName): Promise<Run | undefined>;
  /** The run with this id. */
  runWithId(id: string): Promise<Run | undefined>;
  /** Runs of a project in the order of `createdAt`, then `id`, after the given one. */
  runs(
    project: ProjectName,
    page: {
      readonly order: "asc" | "desc";
      readonly after?: Pick<Run, "createdAt" | "id">;
      readonly limit: number;
    },
  ): Promise<readonly Run[]>;
  /** The number of runs of a project. */
  runCount(project: ProjectName): Promise<number>;
  /** Lines of a stream from number `from` on, in order; only those whose number is divisible by `every`. */
  lines(
    runId: string,
    stream: Stream,
    page: { readonly from: number; readonly limit: number; readonly every?: number },
  ): Promise<readonly Line[]>;
  /** Lines of the history with `minStep <= step < maxStep`, by step, then number, after the given line. */
  history(
    runId: string,
    page: {
      readonly minStep: number;
      readonly maxStep: number;
      readonly after?: Pick<Line, "line" | "step">;
      readonly limit: number;
    },
  ): Promise<readonly Line[]>;
  /** Files of a run by name, after the given name. */
  runFiles(
    runId: string,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<readonly RunFile[]>;
  /** The file of a run with this name. */
  runFile(runId: string, name: string): Promise<RunFile | undefined>;
  /** The IDs of the artifacts that a run used, in order. */
  usedBy(runId: string): Promise<readonly string[]>;
  /** The runs that used an artifact, oldest first. */
  usersOf(artifactId: string, limit: number): Promise<readonly Run[]>;
  /**
   * Writes the change and resolves to true if the run's `version` is one more than the stored one (1 for a new run,
   * whose name must be new in its project); otherwise writes nothing and resolves to false.
   */
  commitRun(change: RunChange): Promise<boolean>;
  /** Removes the run, with its lines and files, if it still has this version; resolves to whether it did. */
  removeRun(run: Pick<Run, "id" | "version">): Promise<boolean>;
}

/** Keeps artifacts. */
export interface ArtifactVersionStore {
  /** The collection with this name. */
  collection(name: CollectionName): Promise<Collection | undefined>;
  /** The collection with this id. */
  collectionWithId(id: string): Promise<Collection | undefined>;
  /** Collections of a project by name, after the given name; of one type, or of all. */
  collections(
    project: ProjectName,
    page: { readonly type?: string; readonly after?: string; readonly limit: number },
  ): Promise<readonly Collection[]>;
  /** The number of collections of a project; of one type, or of all. */
  collectionCount(project: ProjectName, type?: string): Promise<number>;
  /** The types of a project's collections, without duplicates, in order. */
  types(project: ProjectName): Promise<readonly string[]>;
  /** The artifact with this ID, in any state. */
  artifact(id: string): Promise<Artifact | undefined>;
  /** The committed artifact of a collection with this index. */
  artifactAt(collectionId: string, versionIndex: number): Promise<Artifact | undefined>;
  /** The newest committed artifact of a collection with this digest. */
  artifactWithDigest(collectionId: string, digest: string): Promise<Artifact | undefined>;
  /** Committed artifacts of a collection, newest first, with indexes below `before`. */
  artifacts(
    collectionId: string,
    page: { readonly before?: number; readonly limit: number },
  ): Promise<readonly Artifact[]>;
  /** The number of committed artifacts of a collection. */
  artifactCount(collectionId: string): Promise<number>;
  /** Committed artifacts that the run with this name logged, oldest first. */
  artifactsBy(run: RunName, limit: number): Promise<readonly Artifact[]>;
  /** Aliases of a collection, in order; only those of one artifact if given. */
  aliases(collectionId: string, artifactId?: string): Promise<readonly Alias[]>;
  /** The artifact that an alias of a collection means. */
  aliased(collectionId: string, alias: string): Promise<Artifact | undefined>;
  /** Entries of an artifact by path, after the given path. */
  entries(
    artifactId: string,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<readonly ArtifactEntry[]>;
  /** The entries of an artifact with these paths, by path. */
  entriesAt(artifactId: string, paths: readonly string[]): Promise<readonly ArtifactEntry[]>;
  /** Those of these blobs, by MD5, that the project has. */
  blobs(project: ProjectName, md5s: readonly string[]): Promise<readonly ProjectBlob[]>;
  /** Records that the project has these bytes. */
  addBlob(project: ProjectName, blob: ProjectBlob): Promise<void>;
  /**
   * Writes the change and resolves to true if the collection's `version` is one more than the stored one (1 for a new
   * one, whose name must be new in its project); otherwise writes nothing and resolves to false.
   */
  commitCollection(change: CollectionChange): Promise<boolean>;
  /**
   * Forgets unfinished uploads from before `before` (milliseconds since 1970): pending artifacts, and blobs that no
   * artifact lists.
   */
  forgetUnfinished(before: number): Promise<void>;
}

/**
 * Keeps runs and artifacts. Every method is atomic, a read sees every acknowledged change, and acknowledged changes
 * are not lost. Methods throw a `Fault` when the storage itself fails.
 */
export interface TrackingStore extends RunStore, ArtifactVersionStore {
  /** The names of an entity's projects that have runs or collections, without duplicates, in order. */
  projects(entity: string): Promise<readonly string[]>;
  /** The total bytes of the files of a project's runs, of its blobs, and of the manifests of its artifacts. */
  fileBytes(project: ProjectName): Promise<number>;
  /** Whether a run's file, a manifest, or a blob of any project has these bytes. */
  usesBlob(sha256: string): Promise<boolean>;
}
