// Artifact: named, versioned files. A collection has the name and the type; each of its versions is an artifact.

import type { ProjectName } from "../run/run.ts";

/** Identifies a collection. Its name is unique in its project, across all types. */
export interface CollectionName extends ProjectName {
  /** The collection's name. */
  readonly name: string;
}

/** A metric of checkpoints, and which of its values are best. */
export interface FollowedMetric {
  /** Its name, such as `val/reward`. */
  readonly metric: string;
  /** Whether the largest or the smallest value is best. */
  readonly goal: "max" | "min";
}

/** Artifact versions under one name. */
export interface Collection extends CollectionName {
  /** UUID. */
  readonly id: string;
  /** Increases with each change of the collection, its artifacts and aliases; 1 when new. */
  readonly version: number;
  /** The type of all its artifacts, such as `dataset`; `lora` for checkpoints. */
  readonly type: string;
  /** The index of the next version: never reused. */
  readonly nextIndex: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** The trained model whose checkpoints are its versions, and the version of that model that was read last. */
  readonly model?: { readonly id: string; readonly version: number };
  /** Aliases that follow the checkpoint with the best metric. */
  readonly follows?: Readonly<Record<string, FollowedMetric>>;
}

/** One version of a collection. */
export interface Artifact {
  /** UUID. A checkpoint and its artifact have the same. */
  readonly id: string;
  /** The collection of this version. */
  readonly collectionId: string;
  /** Only a committed artifact can be found by its name. */
  readonly state: "PENDING" | "COMMITTED";
  /** Its index among the versions, 7 for `v7`; absent until it is committed. */
  readonly versionIndex?: number;
  /** MD5 of the manifest's content, hexadecimal. Versions of a collection with equal digests are the same. */
  readonly digest: string;
  /** A description for people. */
  readonly description?: string;
  /** A JSON object. */
  readonly metadata?: string;
  /** Its tags. */
  readonly tags: readonly string[];
  /** The name of the run, in the same project, that logged it. */
  readonly createdBy?: string;
  /** The last step of that run's history when it logged the artifact. */
  readonly historyStep?: number;
  /** The aliases it gets when it is committed. */
  readonly wantedAliases: readonly string[];
  /** Where its manifest is kept, if it has one. */
  readonly manifest?: { readonly sha256: string; readonly md5: string; readonly size: number };
  /** The total bytes of its files. */
  readonly size: number;
  /** The number of its files. */
  readonly fileCount: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** The step of its checkpoint. */
  readonly step?: number;
}

/** A file of an artifact, or a reference to an external one. */
export interface ArtifactEntry {
  /** A relative path with `/`. */
  readonly path: string;
  /** MD5 of its bytes, hexadecimal; for a reference, any digest that it has. */
  readonly digest: string;
  /** Its size in bytes. */
  readonly size: number;
  /** SHA-256 of its bytes, their name in the artifact store. Absent for a reference, whose bytes are elsewhere. */
  readonly sha256?: string;
  /** The target of a reference. */
  readonly ref?: string;
}

/** Stored bytes of a project, by the digest that its clients use. */
export interface ProjectBlob {
  /** MD5, hexadecimal. */
  readonly md5: string;
  /** SHA-256, hexadecimal: their name in the artifact store. */
  readonly sha256: string;
  /** The size in bytes. */
  readonly size: number;
  /** When they were stored, in milliseconds since 1970. */
  readonly createdAt: number;
}
