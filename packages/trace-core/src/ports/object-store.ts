import type { Json } from "@assay/base";

/** What there is to say of a version of an object beside its value, which may be large. */
export interface VersionHead {
  /** `entity/project`. */
  readonly project_id: string;
  /** The object's name. */
  readonly object_id: string;
  /** The digest of `val`. */
  readonly digest: string;
  /** Whether it is an op (a function) or anything else. */
  readonly kind: "object" | "op";
  /** The first class below Weave's root class; null for a plain value. */
  readonly base_object_class: string | null;
  /** The object's own class; null for a plain value. */
  readonly leaf_object_class: string | null;
  /** ISO 8601. */
  readonly created_at: string;
  /** ISO 8601; null while it is not deleted. */
  readonly deleted_at: string | null;
  /** Who published it, when the client said. */
  readonly wb_user_id: string | null;
}

/** One version of an object (a model, a dataset, an op), named by its content. */
export interface ObjectVersion extends VersionHead {
  /** The object itself. */
  readonly val: Json;
}

/** A version's head and its place among the versions of its object. An op and an object of one name are two objects. */
export interface NumberedHead extends VersionHead {
  /** 0 for the first version of its kind and object that was ever put, 1 for the second; deleted ones keep theirs. */
  readonly version_index: number;
}

/** A version with its place among the versions of its object. */
export interface NumberedVersion extends NumberedHead, ObjectVersion {}

/** Where versions of objects are kept. When the storage itself fails, it throws a `Fault`. */
export interface ObjectStore {
  /**
   * Adds a version unless one with its project, object and digest is there; one that was deleted is there again.
   * Durable when the promise resolves.
   */
  put(version: ObjectVersion): Promise<void>;

  /** All versions of these objects (of every object when undefined), deleted ones too, by object id, as they came. */
  versions(project: string, objects: readonly string[] | undefined): Promise<readonly NumberedHead[]>;

  /** The values of versions, each at the place of its head; deleted ones have theirs too. */
  values(project: string, heads: readonly VersionHead[]): Promise<readonly Json[]>;

  /** Marks versions as deleted. Those that are not there are ignored. Durable when the promise resolves. */
  remove(project: string, object: string, digests: readonly string[], deletedAt: string): Promise<void>;
}
