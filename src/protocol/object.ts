import { type Static, Type } from '@sinclair/typebox';
import { SortItem } from './query.ts';
import { closed, DateTime, Maybe, OrNull } from './schema.ts';

/** One version of an object or op. `val` is `{}` where only metadata was asked for. */
export const ObjectVersion = Type.Object({
  project_id: Type.String(),
  object_id: Type.String(),
  created_at: DateTime,
  deleted_at: OrNull(DateTime),
  digest: Type.String(),
  version_index: Type.Integer(),
  is_latest: Type.Integer(),
  kind: Type.String(),
  base_object_class: OrNull(Type.String()),
  leaf_object_class: OrNull(Type.String()),
  val: Type.Unknown(),
  svc_user_id: OrNull(Type.String()),
  size_bytes: OrNull(Type.Integer()),
});
export type ObjectVersion = Static<typeof ObjectVersion>;

export const ObjCreateRequest = Type.Object(
  {
    obj: Type.Object({
      project_id: Type.String(),
      object_id: Type.String(),
      val: Type.Unknown(),
      builtin_object_class: Maybe(Type.String()),
      set_base_object_class: Maybe(Type.String()),
      expected_digest: Maybe(Type.String()),
      svc_user_id: Maybe(Type.String()),
    }),
  },
  closed,
);
export type ObjCreateRequest = Static<typeof ObjCreateRequest>;
export const ObjCreateResponse = Type.Object({ digest: Type.String(), object_id: Type.String() });
export type ObjCreateResponse = Static<typeof ObjCreateResponse>;

export const ObjReadRequest = Type.Object(
  {
    project_id: Type.String(),
    object_id: Type.String(),
    digest: Type.String(),
    metadata_only: Maybe(Type.Boolean({ default: false })),
    include_tags_and_aliases: Maybe(Type.Boolean({ default: false })),
  },
  closed,
);
export type ObjReadRequest = Static<typeof ObjReadRequest>;
export const ObjReadResponse = Type.Object({ obj: ObjectVersion });
export type ObjReadResponse = Static<typeof ObjReadResponse>;

/** Given keys are ANDed, entries of a list ORed; null and the empty list constrain nothing. */
export const ObjectFilter = Type.Object(
  {
    object_ids: Maybe(Type.Array(Type.String())),
    base_object_classes: Maybe(Type.Array(Type.String())),
    exclude_base_object_classes: Maybe(Type.Array(Type.String())),
    leaf_object_classes: Maybe(Type.Array(Type.String())),
    is_op: Maybe(Type.Boolean()),
    latest_only: Maybe(Type.Boolean({ default: false })),
  },
  closed,
);
export type ObjectFilter = Static<typeof ObjectFilter>;

export const ObjsQueryRequest = Type.Object(
  {
    project_id: Type.String(),
    filter: Maybe(ObjectFilter),
    limit: Maybe(Type.Integer()),
    offset: Maybe(Type.Integer()),
    sort_by: Maybe(Type.Array(SortItem)),
    metadata_only: Maybe(Type.Boolean({ default: false })),
    include_storage_size: Maybe(Type.Boolean({ default: false })),
  },
  closed,
);
export type ObjsQueryRequest = Static<typeof ObjsQueryRequest>;
export const ObjsQueryResponse = Type.Object({ objs: Type.Array(ObjectVersion) });
export type ObjsQueryResponse = Static<typeof ObjsQueryResponse>;

export const ObjDeleteRequest = Type.Object(
  {
    project_id: Type.String(),
    object_id: Type.String(),
    digests: Maybe(Type.Array(Type.String())),
  },
  closed,
);
export type ObjDeleteRequest = Static<typeof ObjDeleteRequest>;
export const ObjDeleteResponse = Type.Object({
  num_deleted: Type.Integer(),
  deleted_versions: Type.Array(
    Type.Object({
      digest: Type.String(),
      base_object_class: OrNull(Type.String()),
      leaf_object_class: OrNull(Type.String()),
    }),
  ),
});
export type ObjDeleteResponse = Static<typeof ObjDeleteResponse>;
