import type { ObjectPlan } from './plan.ts';
import type { ListOptions } from './reads.ts';

/** A validated object; `val` is its canonical text, which `digest` is the digest of. */
export interface NewObject {
  readonly project_id: string;
  readonly object_id: string;
  readonly kind: 'op' | 'object';
  readonly digest: string;
  readonly val: string;
  readonly base_object_class: string | null;
  readonly leaf_object_class: string | null;
  readonly svc_user_id: string;
  /** Microseconds; raised by the store where needed, so that it grows strictly within a name. */
  readonly created_at: number;
}

export interface StoredObject extends Omit<NewObject, 'val' | 'svc_user_id'> {
  /** Canonical text, or null where only metadata was asked for. */
  readonly val: string | null;
  readonly svc_user_id: string | null;
  /** 0-based, by first creation under (project, kind, name); never used twice. */
  readonly version_index: number;
  readonly is_latest: boolean;
  readonly size_bytes: number;
  readonly deleted_at: number | null;
}

/**
 * Stores versions of objects and ops. The two kinds of one name are numbered apart, and each has its own latest.
 */
export interface ObjectStore {
  /** A digest that is there becomes the latest again; a new or a deleted one makes the next version. */
  create(object: NewObject): Promise<void>;
  /**
   * The version named by a digest, `latest` or `v<N>`, deleted ones included (their `val` is null); `undefined` when
   * there never was one. `latest` and `v<N>` of a name of both kinds mean the object. When all versions are deleted,
   * `latest` is the last one that was deleted.
   */
  get(
    projectId: string,
    objectId: string,
    version: string,
    options?: { readonly metadataOnly?: boolean },
  ): Promise<StoredObject | undefined>;
  /** The versions of a plan in its order; of one moment with `snapshots`. */
  query(plan: ObjectPlan, options?: ListOptions): Promise<StoredObject[]>;
  /**
   * Deletes the versions named as for `get`, or with an empty list all of both kinds; `deletedAt` in µs. They keep
   * their numbers and lose their values; a latest that goes is followed by the greatest number that stays. Resolves
   * with what was deleted in order of creation. Rejects with `not_found`, and deletes nothing, when there is nothing
   * to delete or a name means no version that is there. A deletion under a key that is known deletes nothing and
   * resolves with what the first one deleted.
   */
  delete(
    projectId: string,
    objectId: string,
    versions: readonly string[],
    deletedAt: number,
    key?: string,
  ): Promise<DeletedVersion[]>;
}

export type DeletedVersion = Pick<NewObject, 'digest' | 'base_object_class' | 'leaf_object_class'>;
