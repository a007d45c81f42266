// docs/decisions/0002-typebox-0-34.md says why.
import { type TSchema, Type } from '@sinclair/typebox';

/** Optional field for which `null` means "absent". */
export const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

/** Field of an answer: always there, `null` where there is no value. */
export const OrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** RFC 3339 text; the server checks it with `parseDateTime`. */
export const DateTime = Type.String({ format: 'date-time' });

/** A date-time that is only compared with others, in any year: `9999-12-31T00:00:00Z` is later than everything. */
export const Bound = Type.String({ format: 'date-time', 'x-any-year': true });

/** A JSON object with any members. */
export const AnyObject = Type.Record(Type.String(), Type.Unknown());

/** Top level of a request, where an unknown key is refused. */
export const closed = { additionalProperties: false } as const;
