// Artifact: named, versioned files. A collection has the name and the type; each of its versions is an artifact.

import type { ProjectName } from "../run/run.ts";

/** A collection's name, unique in its project whatever its type. */
export interface CollectionName extends ProjectName {
  /** The collection's name. */
  readonly name: string;
}

/** A metric of checkpoints, and which of its values is best. */
export interface FollowedMetric {
  /** Its name, such as `val/reward`. */
  readonly metric: string;
  /** Whether the greatest or the least is best. */
  readonly goal: "max" | "min";
}

/** Versions under one name. */
export interface Collection extends CollectionName {
  /** UUID. */
  readonly id: string;
  /** One more for each change of the collection, its artifacts and aliases; 1 when new. */
  readonly version: number;
  /** Of all its artifacts, such as `dataset`; `lora` for checkpoints. */
  readonly type: string;
  /** The index of the next version: never used twice. */
  readonly nextIndex: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** The trained model whose checkpoints its versions are, and the version of that model that they were read at. */
  readonly model?: { readonly id: string; readonly version: number };
  /** Aliases that go to the checkpoint whose metric is best. */
  readonly follows?: Readonly<Record<string, FollowedMetric>>;
}

/** One version of a collection. */
export interface Artifact {
  /** UUID. A checkpoint and its artifact have the same. */
  readonly id: string;
  /** The collection that it is a version of. */
  readonly collectionId: string;
  /** Only a committed artifact is found by its name. */
  readonly state: "PENDING" | "COMMITTED";
  /** Its place among the versions, `v7`; absent until it is committed. */
  readonly versionIndex?: number;
  /** MD5 over what the manifest lists, hexadecimal: versions of a collection with the same one are the same. */
  readonly digest: string;
  /** Words for people. */
  readonly description?: string;
  /** A JSON object. */
  readonly metadata?: string;
  /** Words that it is found by. */
  readonly tags: readonly string[];
  /** The name of the run, in the same project, that logged it. */
  readonly createdBy?: string;
  /** What it shall be called once it is committed. */
  readonly wantedAliases: readonly string[];
  /** Where its manifest is kept, once there is one. */
  readonly manifest?: { readonly sha256: string; readonly md5: string; readonly size: number };
  /** Bytes of its files. */
  readonly size: number;
  /** How many files it has. */
  readonly fileCount: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** The step of the checkpoint that it is. */
  readonly step?: number;
}

/** A file of an artifact, or a reference to something elsewhere. */
export interface ArtifactEntry {
  /** A relative path with `/`. */
  readonly path: string;
  /** MD5 of its bytes, hexadecimal; of a reference, whatever its digest is. */
  readonly digest: string;
  /** How many bytes it has. */
  readonly size: number;
  /** SHA-256 of its bytes: their name in the artifact store. Absent for a reference, whose bytes are not here. */
  readonly sha256?: string;
  /** Where a reference points. */
  readonly ref?: string;
}

/** Bytes that a project has, by the digest that its clients know them by. */
export interface ProjectBlob {
  /** MD5, hexadecimal. */
  readonly md5: string;
  /** SHA-256, hexadecimal: their name in the artifact store. */
  readonly sha256: string;
  /** How many bytes there are. */
  readonly size: number;
  /** When they came, in milliseconds since 1970. */
  readonly createdAt: number;
}
