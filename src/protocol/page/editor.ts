import { type Static, Type } from '@sinclair/typebox';
import { closed, Maybe } from '../schema.ts';

/** A file as records and stacks name it: its whole path, or from the root of its package on. Lines are counted from 1. */
export const EditorOpenRequest = Type.Object(
  { file: Type.String({ minLength: 1, maxLength: 4096 }), line: Maybe(Type.Integer({ minimum: 1 })) },
  closed,
);
export type EditorOpenRequest = Static<typeof EditorOpenRequest>;

/** The whole path of the file that was opened. */
export const EditorOpenResponse = Type.Object({ file: Type.String() });
export type EditorOpenResponse = Static<typeof EditorOpenResponse>;
