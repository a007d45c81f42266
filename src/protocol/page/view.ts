import { type Static, Type } from '@sinclair/typebox';
import { closed, DateTime, Maybe } from '../schema.ts';

/** A saved view of a list; `query` is the query string of its page. */
export const View = Type.Object({
  id: Type.String(),
  name: Type.String(),
  query: Type.String(),
  columns: Type.Array(Type.String()),
  created_at: DateTime,
  updated_at: DateTime,
  user_id: Type.String(),
});
export type View = Static<typeof View>;

export const ViewsListRequest = Type.Object({ project_id: Type.String() }, closed);
export type ViewsListRequest = Static<typeof ViewsListRequest>;
export const ViewsListResponse = Type.Object({ views: Type.Array(View) });
export type ViewsListResponse = Static<typeof ViewsListResponse>;

export const ViewSaveRequest = Type.Object(
  {
    project_id: Type.String(),
    view: Type.Object(
      {
        id: Maybe(Type.String()),
        name: Type.String(),
        query: Type.String(),
        columns: Maybe(Type.Array(Type.String())),
      },
      closed,
    ),
  },
  closed,
);
export type ViewSaveRequest = Static<typeof ViewSaveRequest>;
export const ViewSaveResponse = Type.Object({ view: View });
export type ViewSaveResponse = Static<typeof ViewSaveResponse>;

export const ViewDeleteRequest = Type.Object({ project_id: Type.String(), id: Type.String() }, closed);
export type ViewDeleteRequest = Static<typeof ViewDeleteRequest>;
