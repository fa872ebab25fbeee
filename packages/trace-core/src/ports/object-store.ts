import type { Json } from "@assay/base";

/** The metadata of a version of an object, without its value, which may be large. */
export interface VersionHead {
  /** `entity/project`. */
  readonly project_id: string;
  /** The object's name. */
  readonly object_id: string;
  /** The digest of `val`. */
  readonly digest: string;
  /** Whether it is an op (a function) or anything else. */
  readonly kind: "object" | "op";
  /** The class right below Weave's root class; null for a plain value. */
  readonly base_object_class: string | null;
  /** The object's own class; null for a plain value. */
  readonly leaf_object_class: string | null;
  /** ISO 8601. */
  readonly created_at: string;
  /** ISO 8601; null unless it is deleted. */
  readonly deleted_at: string | null;
  /** Who published it, if the client sent it. */
  readonly wb_user_id: string | null;
}

/** One version of an object (a model, a dataset, an op), identified by its content. */
export interface ObjectVersion extends VersionHead {
  /** The object itself. */
  readonly val: Json;
}

/**
 * A version's metadata with its index among the versions of its object. An op and an object with the same name are
 * different objects.
 */
export interface NumberedHead extends VersionHead {
  /** 0 for the first version of its kind and object ever put, 1 for the second; deleted versions keep theirs. */
  readonly version_index: number;
}

/** A version with its index among the versions of its object. */
export interface NumberedVersion extends NumberedHead, ObjectVersion {}

/** Where versions of objects are kept. Throws a `Fault` when the storage itself fails. */
export interface ObjectStore {
  /**
   * Adds a version unless one with its project, object and digest exists; a deleted one is restored. Durable when the
   * promise resolves.
   */
  put(version: ObjectVersion): Promise<void>;

  /**
   * All versions of these objects (of every object if undefined), including deleted ones, by object ID, then in order
   * of creation.
   */
  versions(project: string, objects: readonly string[] | undefined): Promise<readonly NumberedHead[]>;

  /** The values of versions, in the order of their heads, including those of deleted versions. */
  values(project: string, heads: readonly VersionHead[]): Promise<readonly Json[]>;

  /** Marks versions as deleted. Unknown ones are ignored. Durable when the promise resolves. */
  remove(project: string, object: string, digests: readonly string[], deletedAt: string): Promise<void>;
}
