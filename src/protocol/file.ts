import { type Static, Type } from '@sinclair/typebox';
import { closed, Maybe } from './schema.ts';

/** JSON form of an upload; `content` is standard base64 without white space. */
export const FileCreateRequest = Type.Object(
  {
    project_id: Type.String(),
    name: Type.String(),
    content: Type.String(),
    expected_digest: Maybe(Type.String()),
  },
  closed,
);
export type FileCreateRequest = Static<typeof FileCreateRequest>;
export const FileCreateResponse = Type.Object({ digest: Type.String() });
export type FileCreateResponse = Static<typeof FileCreateResponse>;

export const FileContentRequest = Type.Object({ project_id: Type.String(), digest: Type.String() }, closed);
export type FileContentRequest = Static<typeof FileContentRequest>;
/** JSON form of a download; the usual form is the bytes themselves. */
export const FileContentResponse = Type.Object({ content: Type.String() });
export type FileContentResponse = Static<typeof FileContentResponse>;

export const FilesQueryStatsRequest = Type.Object({ project_id: Type.String() }, closed);
export type FilesQueryStatsRequest = Static<typeof FilesQueryStatsRequest>;
export const FilesQueryStatsResponse = Type.Object({ total_size_bytes: Type.Integer() });
export type FilesQueryStatsResponse = Static<typeof FilesQueryStatsResponse>;
